// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.testkit.ReportWriterContract;
import dev.lockstep.testkit.SampleReports;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonReportWriterTest extends ReportWriterContract {
    private static final JsonFactory JSON = CellJson.factory();

    @Override
    protected ReportWriter writer() {
        return new JsonReportWriter();
    }

    @Override
    protected Path target(String name) {
        return folder.resolve(name + ".json");
    }

    @Override
    protected List<List<String>> read(Path target, Table table) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(target.toFile())) {
            find(parser, "columns");
            List<String> headers = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if ("header".equals(parser.currentName()) && parser.currentToken() == JsonToken.VALUE_STRING) {
                    headers.add(parser.getText());
                }
            }
            rows.add(headers);
            find(parser, "rows");
            while (parser.nextToken() == JsonToken.START_ARRAY) {
                List<String> row = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    row.add(value(parser));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    @Test
    void theDocumentIsStrictAndKeepsItsShape() throws IOException {
        Table table = new TableBuilder(
                        "odd",
                        "Odd",
                        Schema.of(
                                ColumnSpec.percent("share", "A share."),
                                ColumnSpec.json("json", "Structured."),
                                ColumnSpec.bool("flag", "A flag.")))
                .row(Double.POSITIVE_INFINITY, "{\"a\": [1, 1e400, \"\\ud800\"]}", true)
                .row(Double.NaN, "[1, 2", false)
                .build();
        String json = Files.readString(write(SampleReports.of(table), CellStyle.PLAIN));

        assertThat(json)
                .contains("[ null, {\n")
                .contains("1e400")
                .contains("\ufffd")
                .contains("[ null, \"[1, 2\", false ]")
                .contains("\"unit\" : \"%\"")
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
    }

    @Test
    void allSectionsAreThere() throws IOException {
        String json = Files.readString(write(SampleReports.everySection(), CellStyle.PLAIN));

        assertThat(json)
                .contains("\"label\" : \"Traced time\"")
                .contains("\"severity\" : \"problem\"")
                .contains("\"reason\" : \"the trace holds no kernel below 10 µs\"");
    }

    private static void find(JsonParser parser, String name) throws IOException {
        while (parser.nextToken() != null) {
            if (parser.currentToken() == JsonToken.FIELD_NAME && name.equals(parser.currentName())) {
                parser.nextToken();
                return;
            }
        }
        throw new AssertionError("no " + name);
    }

    private static String value(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return "";
        }
        if (!parser.currentToken().isStructStart()) {
            return parser.getText();
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator copy = JSON.createGenerator(text)) {
            copy.copyCurrentStructure(parser);
        }
        return text.toString();
    }
}
