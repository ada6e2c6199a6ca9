// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.page;

import dev.lockstep.write.PagePolicy;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/**
 * Writes pages as HTML that needs nothing from elsewhere: pictures, styles and the search of tables are inside. A page's own
 * policy forbids every request and all scripts but its own.
 */
public final class PageWriter {
    private final StringBuilder out = new StringBuilder(1 << 20);

    private PageWriter() {}

    /** The page as the text of a file, to be written as UTF-8. */
    public static String html(Page page) {
        PageWriter writer = new PageWriter();
        writer.page(page);
        return writer.out.toString();
    }

    private void page(Page page) {
        String style = "\n" + resource("page.css");
        String script = "\n" + resource("page.js");
        out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.append("<meta http-equiv=\"Content-Security-Policy\" content=\"");
        out.append(PagePolicy.of(style, script)).append("; img-src data:\">\n");
        out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        text(page.title()).append("</title>\n<style>").append(style);
        out.append("</style>\n</head>\n<body>\n<header>\n<h1>");
        text(page.title()).append("</h1>\n");
        paragraph("lead", page.lead());
        contents(page);
        out.append("</header>\n<main>\n");
        for (int i = 0; i < page.sections().size(); i++) {
            section(page.sections().get(i), i);
        }
        out.append("</main>\n<script>").append(script).append("</script>\n</body>\n</html>\n");
    }

    private void contents(Page page) {
        out.append("<nav>\n");
        for (int i = 0; i < page.sections().size(); i++) {
            out.append("<a href=\"#s").append(i).append("\">");
            text(page.sections().get(i).title()).append("</a>\n");
        }
        boolean tables = page.sections().stream()
                .flatMap(section -> section.items().stream())
                .anyMatch(PageItem.Grid.class::isInstance);
        if (tables) {
            out.append(
                    "<input id=\"search\" type=\"search\" placeholder=\"Search tables\" aria-label=\"Search tables\">\n");
        }
        out.append("</nav>\n");
    }

    private void section(Page.Section section, int place) {
        out.append("<section id=\"s").append(place).append("\">\n<h2>");
        text(section.title()).append("</h2>\n");
        for (PageItem item : section.items()) {
            switch (item) {
                case PageItem.Text text -> paragraph("", text.text());
                case PageItem.Image image -> image(image);
                case PageItem.Pair pair -> pair(pair);
                case PageItem.Grid grid -> grid(grid);
            }
        }
        out.append("</section>\n");
    }

    private void paragraph(String style, String content) {
        if (!content.isEmpty()) {
            out.append(style.isEmpty() ? "<p>" : "<p class=\"" + style + "\">");
            text(content).append("</p>\n");
        }
    }

    private void image(PageItem.Image image) {
        out.append("<figure>\n");
        if (!image.heading().isEmpty()) {
            out.append("<h4>");
            text(image.heading()).append("</h4>\n");
        }
        byte[] png = image.png();
        if (png == null) {
            paragraph("missing", image.missing());
        } else {
            out.append("<img alt=\"");
            text(image.doc()).append("\" src=\"data:image/png;base64,");
            out.append(Base64.getEncoder().encodeToString(png)).append("\">\n");
        }
        if (!image.doc().isEmpty()) {
            out.append("<figcaption>");
            text(image.doc()).append("</figcaption>\n");
        }
        out.append("</figure>\n");
    }

    private void pair(PageItem.Pair pair) {
        out.append("<div class=\"pair\">\n<div>\n<h3>");
        text(pair.leftLabel()).append("</h3>\n");
        image(pair.left());
        out.append("</div>\n<div>\n<h3>");
        text(pair.rightLabel()).append("</h3>\n");
        image(pair.right());
        out.append("</div>\n</div>\n");
    }

    private void grid(PageItem.Grid grid) {
        if (!grid.heading().isEmpty()) {
            out.append("<h4>");
            text(grid.heading()).append("</h4>\n");
        }
        paragraph("doc", grid.doc());
        out.append("<div class=\"wide\"><table>\n<thead><tr>");
        for (PageItem.Column column : grid.columns()) {
            out.append(column.numeric() ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">");
            text(column.head()).append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        for (var row : grid.rows()) {
            out.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                out.append(grid.columns().get(i).numeric() ? "<td class=\"n\">" : "<td>");
                text(row.get(i)).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody>\n</table></div>\n");
    }

    private StringBuilder text(String content) {
        String sound = Unicode.wellFormed(content);
        for (int i = 0; i < sound.length(); i++) {
            char c = sound.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\0' -> out.append(Unicode.REPLACEMENT);
                default -> out.append(c);
            }
        }
        return out;
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(PageWriter.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
