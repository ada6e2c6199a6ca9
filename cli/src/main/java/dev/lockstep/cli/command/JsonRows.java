// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.sql.QueryAnswer.Head;
import dev.lockstep.tabular.UniqueNames;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as an array of objects, one on each line. Columns of one name get numbers behind the first. */
final class JsonRows implements RowsWriter {
    @Override
    public void write(QueryAnswer rows, Writer out) throws IOException {
        List<String> names = names(rows.heads());
        out.write("[");
        JsonGenerator json = new JsonFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
        json.setPrettyPrinter(new MinimalPrettyPrinter(""));
        String before = "\n";
        for (List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
            json.writeRaw(before);
            json.writeStartObject();
            for (int i = 0; i < names.size(); i++) {
                json.writeFieldName(names.get(i));
                RowCells.write(row.get(i), json);
            }
            json.writeEndObject();
            before = ",\n";
        }
        json.flush();
        out.write("\n]\n");
        out.flush();
    }

    private static List<String> names(List<Head> heads) {
        UniqueNames names = new UniqueNames();
        return heads.stream()
                .map(head -> names.add(Unicode.wellFormed(head.name())))
                .toList();
    }
}
