// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CellTextTest {
    private static final ColumnSpec COUNT = ColumnSpec.count("n", "A count.");
    private static final ColumnSpec TIME =
            ColumnSpec.whole("us", Unit.NANOSECONDS, Unit.MICROSECONDS, "A time that is kept exactly.");
    private static final ColumnSpec MEAN =
            ColumnSpec.real("ms", Unit.NANOSECONDS, Unit.MILLISECONDS, "A time that was divided.");

    @Test
    void countsStayIntegersInPythonUnlessOneIsMissing() {
        assertThat(spelt(COUNT, CellStyle.PYTHON, 8, 9)).containsExactly("8", "9");
        assertThat(spelt(COUNT, CellStyle.PYTHON, 8, null)).containsExactly("8.0", "");
        assertThat(spelt(COUNT, CellStyle.PLAIN, 8, null)).containsExactly("8", "");
    }

    @Test
    void scaledIntegersAreExactDecimalsOrFloats() {
        assertThat(spelt(TIME, CellStyle.PLAIN, 12_345, 12_000)).containsExactly("12.345", "12");
        assertThat(spelt(TIME, CellStyle.PYTHON, 12_345, 12_000)).containsExactly("12.345", "12.0");
    }

    @Test
    void doublesAreScaledAndShort() {
        assertThat(spelt(MEAN, CellStyle.PLAIN, 1.5e6, 1e-3, Double.NaN)).containsExactly("1.5", "1e-09", "");
        assertThat(spelt(MEAN, CellStyle.PYTHON, 2e6, null)).containsExactly("2.0", "");
    }

    @Test
    void aFinerUnitMultiplies() {
        ColumnSpec finer = ColumnSpec.whole("ns", Unit.SECONDS, Unit.NANOSECONDS, "Seconds as nanoseconds.");

        assertThat(spelt(finer, CellStyle.PLAIN, 20_000_000_000L)).containsExactly("20000000000000000000");
    }

    @Test
    void truthValuesAndStructuresFollowTheStyle() {
        ColumnSpec flag = ColumnSpec.bool("flag", "A flag.");
        ColumnSpec shapes = ColumnSpec.arguments("shapes", "Shapes.");
        ColumnSpec list = ColumnSpec.json("list", "A list.");

        assertThat(spelt(flag, CellStyle.PLAIN, true, false)).containsExactly("true", "false");
        assertThat(spelt(flag, CellStyle.PYTHON, true, false)).containsExactly("True", "False");
        assertThat(spelt(shapes, CellStyle.PYTHON, "[[1], []]", null)).containsExactly("((1,), ())", "");
        assertThat(spelt(list, CellStyle.PYTHON, "[[1], []]")).containsExactly("[[1], []]");
        assertThat(spelt(shapes, CellStyle.PLAIN, "[[1], []]")).containsExactly("[[1], []]");
    }

    private static List<String> spelt(ColumnSpec spec, CellStyle style, @Nullable Object... cells) {
        TableBuilder builder = new TableBuilder("t", "T", Schema.of(spec));
        for (Object cell : cells) {
            builder.row(cell);
        }
        Table table = builder.build();
        CellText text = new CellText(table, 0, style);
        List<String> spelt = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            spelt.add(text.at(row));
        }
        return spelt;
    }
}
