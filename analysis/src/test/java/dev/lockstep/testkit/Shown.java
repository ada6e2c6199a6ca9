// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results as tests write them: numbers to five digits in the unit that is shown, {@code -} for what is missing. */
public final class Shown {
    private static final MathContext DIGITS = new MathContext(5);

    private Shown() {}

    /** The table of this name. */
    public static Table named(List<Table> tables, String name) {
        return tables.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }

    /** These columns of all rows, a line for each; all columns when none are named. */
    public static String of(Table table, String... heads) {
        List<Integer> columns = new ArrayList<>();
        for (String head : heads) {
            columns.add(table.schema().indexOf(head));
        }
        for (int i = 0; heads.length == 0 && i < table.schema().size(); i++) {
            columns.add(i);
        }
        StringBuilder out = new StringBuilder();
        for (int row = 0; row < table.rows(); row++) {
            int at = row;
            out.append(columns.stream().map(column -> cell(table, column, at)).collect(Collectors.joining(" | ")))
                    .append('\n');
        }
        return out.toString();
    }

    /** The heads of a table, a line for each. */
    public static String heads(Table table) {
        return table.schema().columns().stream().map(ColumnSpec::header).collect(Collectors.joining("\n", "", "\n"));
    }

    /** What was found: severity, code, text; all in plain words. */
    public static String findings(List<Finding> findings) {
        assertThat(findings.stream().flatMap(f -> PlainWords.faults(f.text()).stream()))
                .isEmpty();
        return findings.stream()
                .map(f -> f.severity() + " " + f.code() + ": " + f.text() + "\n")
                .collect(Collectors.joining());
    }

    /** Title and values of a picture. */
    public static String of(Chart chart) {
        return switch (chart) {
            case Chart.StackedBars c ->
                c.title() + " " + c.parts() + "\n"
                        + lines(c.bars().stream().map(bar -> bar.label() + ": " + numbers(bar.values())));
            case Chart.Heat c -> {
                List<String> rows = new ArrayList<>();
                for (int row = 0; row < c.rows().size(); row++) {
                    rows.add(c.rows().get(row) + ": " + numbers(c.values()[row]));
                }
                yield c.title() + " " + c.columns() + "\n" + lines(rows.stream());
            }
            case Chart.Scatter c ->
                c.title() + "\n"
                        + lines(c.series().stream()
                                .map(p -> p.name() + ": x " + numbers(p.x()) + ", y " + numbers(p.y()) + ", weight "
                                        + numbers(p.weight())));
            case Chart.Waterfall c ->
                c.title() + "\n" + c.fromLabel() + ": " + number(c.from()) + "\n"
                        + lines(c.steps().stream().map(step -> step.label() + ": " + number(step.value())));
            case Chart.Icicle c ->
                c.title() + "\n" + lines(c.boxes().stream().map(box -> box.label() + ": " + number(box.value())));
            case Chart.Timeline c -> c.title() + "\n";
        };
    }

    /** A sheet as it is read from a file: its head, then its rows, cells apart by {@code |}. */
    public static Table sheet(String name, String... lines) {
        try {
            return SheetTable.PLAIN.read(new Lines(name, List.of(lines)), name, name, head -> true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Lines(String name, List<String> lines) implements Sheets {
        @Override
        public List<String> names() {
            return List.of(name);
        }

        @Override
        public void rows(String sheet, RowSink sink) throws IOException {
            for (String line : lines) {
                sink.row(Arrays.stream(line.split("\\|", -1)).map(String::strip).toList());
            }
        }

        @Override
        public void close() {}
    }

    private static String lines(Stream<String> lines) {
        return lines.map(line -> line + "\n").collect(Collectors.joining());
    }

    private static String numbers(double[] values) {
        return Arrays.stream(values).mapToObj(Shown::number).toList().toString();
    }

    private static String cell(Table table, int column, int row) {
        if (table.columns().get(column).isMissing(row)) {
            return "-";
        }
        return switch (table.columns().get(column)) {
            case StringColumn texts -> String.valueOf(texts.get(row));
            case BoolColumn truths -> String.valueOf(truths.get(row));
            default -> number(table.shown(column, row));
        };
    }

    /** What is off by less than a millionth of a millionth is zero. */
    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return Math.abs(value) < 1e-12
                ? "0"
                : new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
