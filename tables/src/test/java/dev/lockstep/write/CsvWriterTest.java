// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.testkit.ReportWriterContract;
import dev.lockstep.testkit.SampleReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvWriterTest extends ReportWriterContract {
    @Override
    protected ReportWriter writer() {
        return new CsvWriter();
    }

    @Override
    protected Path target(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    @Override
    protected List<List<String>> read(Path target, Table table) throws IOException {
        return parse(Files.readString(target.resolve(table.name() + ".csv")));
    }

    /** Names of sheets may come from workbooks of others; file systems count bytes. */
    @Test
    void longNamesOfSheetsBecomeNamesThatFilesCanHave() throws IOException {
        Path to = target("long");
        String euros = "€".repeat(300);
        String faces = "😀".repeat(300);

        writer().write(
                        SampleReports.of(
                                SampleReports.texts(euros, "x"),
                                SampleReports.texts(euros + "2", "x"),
                                SampleReports.texts(faces, "x")),
                        to,
                        CellStyle.PLAIN);

        assertThat(to.toFile().list())
                .containsExactlyInAnyOrder(
                        "€".repeat(66) + ".csv", "€".repeat(66) + "_2.csv", "😀".repeat(50) + ".csv");
    }

    @Test
    void onlyCellsThatNeedQuotesGetThem() throws IOException {
        Table table =
                SampleReports.texts("quotes", "plain", "a,b", "say \"no\"", "two\nlines", "cr\rhere", " 'x' ", "");

        assertThat(text(table, CellStyle.PLAIN))
                .isEqualTo(
                        "text,n\nplain,0\n\"a,b\",1\n\"say \"\"no\"\"\",2\n\"two\nlines\",3\n\"cr\rhere\",4\n 'x' ,5\n,6\n");
    }

    @Test
    void anEmptyCellThatIsAloneDoesNotMakeAnEmptyLine() throws IOException {
        Table texts = new TableBuilder("alone", "Alone", Schema.of(ColumnSpec.text("t", "Text.")))
                .row("")
                .row((Object) null)
                .row("x")
                .build();
        Table counts = new TableBuilder("alone", "Alone", Schema.of(ColumnSpec.count("n", "Count.")))
                .row((Object) null)
                .row(1)
                .build();

        assertThat(text(texts, CellStyle.PLAIN)).isEqualTo("t\n\"\"\n\"\"\nx\n");
        assertThat(text(counts, CellStyle.PLAIN)).isEqualTo("n\n\"\"\n1\n");
    }

    @Test
    void aTableWithoutRowsIsItsHeaderAndOneWithoutColumnsASingleLineEnd() throws IOException {
        Table nothing = new Table("nothing", "Nothing", Schema.of(), List.of(), 0);
        assertThat(text(SampleReports.texts("none"), CellStyle.PLAIN)).isEqualTo("text,n\n");
        assertThat(text(SampleReports.texts("none"), CellStyle.PYTHON)).isEqualTo("text,n\n");
        assertThat(text(nothing, CellStyle.PYTHON)).isEqualTo("\n");
    }

    @Test
    void pythonStyleReadsAsPythonWroteIt() throws IOException {
        Table table = new TableBuilder("python", "Python", SampleReports.EVERY_TYPE)
                .row("it's, a name", 3, 12_000L, 1e6 / 3, 50.0, 7, true, "[[32, 64], []]", "[{\"a\": [1]}]")
                .row("k", null, 12_345L, null, 1e-5, 7, false, "[[5]]", null)
                .build();

        assertThat(text(table, CellStyle.PYTHON)).isEqualTo("""
                        name,Count,dur_sum (µs),mean_ms,Percentage (%),stream,has_perf_model,Input Dims,details
                        "it's, a name",3.0,12.0,0.3333333333333333,50.0,7,True,"((32, 64), ())",[{'a': [1]}]
                        k,,12.345,,1e-05,7,False,"((5,),)",
                        """);
    }

    private String text(Table table, CellStyle style) throws IOException {
        return Files.readString(write(SampleReports.of(table), style).resolve(table.name() + ".csv"));
    }

    /** A strict reader of RFC 4180. */
    private static List<List<String>> parse(String csv) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        int i = 0;
        while (i < csv.length()) {
            StringBuilder cell = new StringBuilder();
            if (csv.charAt(i) == '"') {
                i++;
                while (csv.charAt(i) != '"' || (i + 1 < csv.length() && csv.charAt(i + 1) == '"')) {
                    i += csv.charAt(i) == '"' ? 1 : 0;
                    cell.append(csv.charAt(i++));
                }
                i++;
            } else {
                while (csv.charAt(i) != ',' && csv.charAt(i) != '\n') {
                    assertThat(csv.charAt(i)).isNotIn('"', '\r');
                    cell.append(csv.charAt(i++));
                }
            }
            row.add(cell.toString());
            if (csv.charAt(i) == '\n') {
                rows.add(row);
                row = new ArrayList<>();
            } else {
                assertThat(csv.charAt(i)).isEqualTo(',');
            }
            i++;
        }
        return rows;
    }
}
