// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.table.Table;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sheet of {@code nccl_master_all_configs.xlsx} and {@code .csv}: the collectives of all configurations, row by row.
 *
 * <p>Quirks: an operation is known by its size alone, so that different collectives of equal size share an id; sizes are
 * called {@code KB} and {@code MB} although they count in MiB; ids are sorted as text.
 */
public final class NcclMaster {
    /** Name of the sheet. */
    public static final String SHEET = "NCCL_Data";

    private static final String SIZE = "Full msg size (MB)";
    private static final double TINY = 0.01;
    private static final double LARGE = 100;
    private static final List<String> STATISTICS = List.of("mean", "median", "min", "max");

    /** A row of a report, and what is added to it. */
    private record Row(SweepSheet report, Cells cells, int row, String id) {
        double size() {
            return cells.number(SIZE, row);
        }
    }

    private NcclMaster() {}

    /**
     * The sheet.
     *
     * @param summaries the sheet {@code nccl_summary_implicit_sync} of every configuration
     * @return null when no report could be read
     * @throws UserException when no report has a column that is needed
     */
    public static @Nullable Table of(List<SweepSheet> summaries) {
        List<Cells> sheets = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        List<SweepSheet> inOrder = summaries.stream()
                .sorted(Comparator.comparing(SweepSheet::threadConfig).thenComparing(SweepSheet::file))
                .toList();
        Map<Double, String> ids = ids(inOrder);
        for (SweepSheet report : inOrder) {
            if (report.table() != null && report.table().schema().size() > 0) {
                Cells cells = new Cells(report.table());
                sheets.add(cells);
                for (int row = 0; row < report.table().rows(); row++) {
                    rows.add(new Row(report, cells, row, ids.getOrDefault(cells.number(SIZE, row), "")));
                }
            }
        }
        if (sheets.isEmpty()) {
            return null;
        }
        rows.sort(Comparator.comparing(Row::id)
                .thenComparingLong(r -> r.report.threads())
                .thenComparingLong(r -> r.report.channels()));
        return table(rows, sheets);
    }

    private static Map<Double, String> ids(List<SweepSheet> reports) {
        Map<Double, String> ids = new TreeMap<>();
        for (SweepSheet report : reports) {
            Table table = report.table();
            int size = table == null ? -1 : table.schema().indexOf(SIZE);
            for (int row = 0; table != null && size >= 0 && row < table.rows(); row++) {
                ids.put(table.shown(size, row), "");
            }
        }
        int number = 0;
        for (Map.Entry<Double, String> id : ids.entrySet()) {
            number++;
            id.setValue("OP_" + (number < 10 ? "0" : "") + number);
        }
        return ids;
    }

    private static Table table(List<Row> rows, List<Cells> sheets) {
        ShownColumns<Row> frame = new ShownColumns<>(rows);
        frame.text("operation_id", Row::id);
        frame.text("operation_name", r -> name(r.size()));
        copy(frame, sheets, SIZE, "In msg nelems");
        frame.whole("threads_num", r -> r.report.threads());
        frame.text("thread_config", r -> r.report.threadConfig());
        frame.whole("channels_num", r -> r.report.channels());
        frame.text("channel_config", r -> r.report.channelConfig());
        frame.text("full_config", r -> r.report.fullConfig());
        copy(frame, sheets, "Collective name", "dtype", "Group size", "count");
        statistics(frame, sheets, "comm_latency");
        copy(frame, sheets, "Total comm latency (ms)");
        statistics(frame, sheets, "algo bw (GB/s)");
        statistics(frame, sheets, "bus bw (GB/s)");
        statistics(frame, sheets, "skew in start time");
        statistics(frame, sheets, "skew in end time");
        copy(frame, sheets, "Process Group Name");
        frame.text("source_file", r -> r.report.file());
        return frame.table(SHEET);
    }

    private static void statistics(ShownColumns<Row> frame, List<Cells> sheets, String column) {
        STATISTICS.forEach(statistic -> copy(frame, sheets, column + "_" + statistic));
    }

    private static void copy(ShownColumns<Row> frame, List<Cells> sheets, String... headers) {
        for (String header : headers) {
            Cells.Kind kind = Cells.kind(sheets, header);
            if (kind == null) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        "no collective report has the column " + header + " in nccl_summary_implicit_sync",
                        "Make the reports again: lockstep sweep report DIR --compat aorta.");
            }
            Function<Row, @Nullable Object> cell = r -> r.cells.cell(header, r.row, kind);
            frame.add(header, kind, cell);
        }
    }

    /** What an operation of this size is called. */
    private static String name(double size) {
        if (size < TINY) {
            return "tiny_" + decimals(size * 1000, 3) + "KB";
        }
        return (size < LARGE ? "medium_" : "large_") + decimals(size, 2) + "MB";
    }

    private static String decimals(double value, int digits) {
        return Double.isFinite(value)
                ? new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString()
                : "nan";
    }
}
