// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Documents that are what columns say about themselves. */
final class TableReference {
    private TableReference() {}

    /** Demands that the document is these tables behind this head; with {@code -Dgolden.update=true} it becomes that. */
    static void demand(String document, String head, List<Table> tables) throws IOException {
        String text = head + sections(tables);
        if (Boolean.getBoolean("golden.update")) {
            assertThat(System.getenv("CI"))
                    .as("golden files are not rewritten where CI is set")
                    .isNull();
            Files.writeString(Documents.ROOT.resolve(document), text);
        }
        assertThat(Documents.read(document)).isEqualTo(text);
    }

    private static String sections(List<Table> tables) {
        StringBuilder out = new StringBuilder();
        for (Table table : tables) {
            out.append("\n## `")
                    .append(table.name())
                    .append("`\n\n")
                    .append(table.title())
                    .append(".\n\n");
            out.append("| Column | Unit | Meaning |\n|---|---|---|\n");
            for (ColumnSpec spec : table.schema().columns()) {
                out.append("| `" + spec.header() + "` | " + spec.shown().symbol() + " | "
                        + spec.doc().replace("|", "\\|") + " |\n");
            }
        }
        return out.toString();
    }
}
