// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.JsonObject;
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
        String before = "\n";
        for (List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
            JsonObject json = new JsonObject();
            for (int i = 0; i < names.size(); i++) {
                json.with(names.get(i), RowCells.json(row.get(i)));
            }
            out.write(before + json);
            before = ",\n";
        }
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
