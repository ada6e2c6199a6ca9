// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.table.ColumnSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/dataset.md} is what the tables say about themselves. After a change of a column, rewrite it with
 * {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class DatasetReferenceTest {
    private static final String REFERENCE = "docs/reference/dataset.md";

    private static final String HEAD = """
        # The tables of a dataset

        Generated from the columns themselves; do not edit. `lockstep dataset` writes each table into a folder of its own, as
        Parquet files by run and by blocks of %d ranks: `TABLE/run=NAME/rank_block=00000/part-0.parquet`. Readers that know
        such folders give each table two more columns, `run` (text) and `rank_block` (the rank over %d); `lockstep sql` has `run`
        in front. Integers are 64 bits wide, times are whole nanoseconds, a missing value is a null. The same sentences
        stand in the metadata of each file, under `lockstep.column.NAME`, and units under `lockstep.unit.NAME`. Rows lie in
        the order that is named with the table. This is version %d of the tables; later versions append columns and rename none.
        """;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        String reference = render();
        if (Boolean.getBoolean("golden.update")) {
            assertThat(System.getenv("CI"))
                    .as("golden files are not rewritten where CI is set")
                    .isNull();
            Files.writeString(Documents.ROOT.resolve(REFERENCE), reference);
        }
        assertThat(Documents.read(REFERENCE)).isEqualTo(reference);
    }

    @Test
    void tablesAreSortedByColumnsThatTheyHave() {
        for (DatasetTable table : DatasetTables.ALL) {
            Set<String> names = new HashSet<>();
            for (ColumnSpec column : table.schema().columns()) {
                assertThat(column.header()).matches("[a-z][a-z0-9_]*");
                assertThat(names.add(column.header()))
                        .as(table.name() + " has one " + column.header())
                        .isTrue();
            }
            assertThat(names).containsAll(table.sortedBy());
            assertThat(table.schema().get(0).header()).isEqualTo("rank");
        }
    }

    private static String render() {
        StringBuilder out =
                new StringBuilder(HEAD.formatted(DatasetTables.BLOCK, DatasetTables.BLOCK, DatasetTables.VERSION));
        for (DatasetTable table : DatasetTables.ALL) {
            out.append("\n## `").append(table.name()).append("`\n\n").append(table.doc());
            out.append(" Sorted by `" + String.join("`, `", table.sortedBy()) + "`.");
            if (table.level() == DatasetTable.Level.FULL) {
                out.append(" Filled at `--level full` only.");
            }
            out.append("\n\n| Column | Type | Unit | Meaning |\n|---|---|---|---|\n");
            for (ColumnSpec spec : table.schema().columns()) {
                out.append("| `" + spec.header() + "` | " + spec.type().name().toLowerCase(Locale.ROOT) + " | "
                        + spec.unit().symbol() + " | " + spec.doc().replace("|", "\\|") + " |\n");
            }
        }
        return out.toString();
    }
}
