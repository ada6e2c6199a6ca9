// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageWriterTest {
    private static String html(PageItem... items) {
        return PageWriter.html(new Page("a <b>&\"c\"", "", List.of(new Page.Section("s", List.of(items)))));
    }

    @Test
    void textIsEscaped() {
        assertThat(html(new PageItem.Text("<script>alert('x')</script>")))
                .contains("<h1>a &lt;b&gt;&amp;&quot;c&quot;</h1>")
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    }

    @Test
    void picturesAreInsideAndMissingOnesAreSaidToBe() {
        PageItem there = new PageItem.Image("h", "what it shows", new byte[] {1, 2, 3}, "gone");
        PageItem gone = new PageItem.Image("h", "", null, "plot.png is missing");

        assertThat(html(there)).contains("<img alt=\"what it shows\" src=\"data:image/png;base64,AQID\">");
        assertThat(html(gone)).contains("plot.png is missing").doesNotContain("<img");
    }

    @Test
    void nothingComesFromElsewhere() {
        assertThat(html(new PageItem.Text("t")))
                .doesNotContain("http:")
                .doesNotContain("https:")
                .contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
                .doesNotContain("@import")
                .doesNotContain("url(");
    }

    @Test
    void theSearchIsThereWhereTablesAre() {
        PageItem grid = new PageItem.Grid(
                "h", "", List.of(PageItem.Column.text("a"), PageItem.Column.number("b")), List.of(List.of("x", "1")));

        assertThat(html(grid)).contains("id=\"search\"").contains("<tr><td>x</td><td class=\"n\">1</td></tr>");
        assertThat(html(new PageItem.Text("t"))).doesNotContain("id=\"search\"");
    }
}
