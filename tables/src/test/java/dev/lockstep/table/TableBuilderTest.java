// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableBuilderTest {
    private static final Schema SCHEMA = Schema.of(
            ColumnSpec.text("name", "A text."),
            ColumnSpec.whole("time us", Unit.NANOSECONDS, Unit.MICROSECONDS, "A time."),
            ColumnSpec.real("share", Unit.PERCENT, Unit.PERCENT, "A share."),
            ColumnSpec.bool("yes", "A truth value."),
            ColumnSpec.json("list", "A list."));

    @Test
    void cellsComeBackAsTheyWentIn() {
        TableBuilder builder = new TableBuilder("t", "T", SCHEMA);
        for (int i = 0; i < 100; i++) {
            builder.row("n" + i, 1500L * i, i / 4.0, i % 2 == 0, "[" + i + "]");
        }
        Table table = builder.build();
        assertThat(table.rows()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(table.strings(0).get(i)).isEqualTo("n" + i);
            assertThat(table.longs(1).get(i)).isEqualTo(1500L * i);
            assertThat(table.shown(1, i)).isEqualTo(1.5 * i);
            assertThat(table.doubles(2).get(i)).isEqualTo(i / 4.0);
            assertThat(table.bools(3).get(i)).isEqualTo(i % 2 == 0);
            assertThat(table.strings(4).get(i)).isEqualTo("[" + i + "]");
        }
    }

    @Test
    void missingCellsAreMissing() {
        Table table = new TableBuilder("t", "T", SCHEMA)
                .row(null, null, null, null, null)
                .build();
        assertThat(table.columns().stream().map(c -> c.isMissing(0))).containsExactly(true, true, true, false, true);
        assertThat(table.shown(1, 0)).isNaN();
        assertThat(table.shown(2, 0)).isNaN();
    }

    @Test
    void integersFitIntoLongsAndDoubles() {
        Table table =
                new TableBuilder("t", "T", SCHEMA).row("", 3, 4, true, "1").build();
        assertThat(table.longs(1).get(0)).isEqualTo(3);
        assertThat(table.doubles(2).get(0)).isEqualTo(4.0);
    }

    @Test
    void rowsHaveAsManyCellsAsTheSchema() {
        TableBuilder builder = new TableBuilder("sheet", "T", SCHEMA);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.row("only one"))
                .withMessageContaining("sheet");
    }

    @Test
    void emptyTableHasItsColumns() {
        Table table = new TableBuilder("t", "T", SCHEMA).build();
        assertThat(table.rows()).isZero();
        assertThat(table.schema().indexOf("share")).isEqualTo(2);
        assertThat(table.schema().indexOf("none")).isEqualTo(-1);
    }

    @Test
    void textHoldsNoNumbers() {
        Table table =
                new TableBuilder("t", "T", SCHEMA).row("a", 1, 1, true, "1").build();
        assertThatIllegalArgumentException().isThrownBy(() -> table.shown(0, 0)).withMessageContaining("name");
        assertThatIllegalArgumentException().isThrownBy(() -> table.shown(3, 0)).withMessageContaining("yes");
    }

    @Test
    void columnsDescribeThemselves() {
        ColumnSpec spec = ColumnSpec.whole("Kernel Time (µs) 50%", Unit.NANOSECONDS, Unit.MICROSECONDS, "A time.");
        assertThat(spec.id()).isEqualTo("kernel_time_us_50pct");
        assertThat(spec.divisor()).isEqualTo(1000);
        assertThatIllegalArgumentException().isThrownBy(() -> ColumnSpec.text("x", " "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ColumnSpec.whole("x", Unit.BYTES, Unit.MILLISECONDS, "A time."));
    }

    @Test
    void fieldsMakeATableOfRecords() {
        record Row(String name, long time) {}
        Table table = new Fields<Row>()
                .add(ColumnSpec.text("name", "A text."), Row::name)
                .addIf(false, ColumnSpec.text("absent", "Not wanted."), r -> "x")
                .addIf(true, ColumnSpec.count("time", "A time."), Row::time)
                .add(ColumnSpec.text("nothing", "Missing."), r -> null)
                .table("t", "T", List.of(new Row("a", 1), new Row("b", 2)));
        assertThat(table.schema().columns().stream().map(ColumnSpec::header))
                .containsExactly("name", "time", "nothing");
        assertThat(table.longs(1).get(1)).isEqualTo(2);
        assertThat(table.strings(2).isMissing(0)).isTrue();
    }
}
