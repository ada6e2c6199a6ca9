// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.configurations;

import dev.lockstep.table.Column;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Collectives of a run by key, read from the sheets of instances, or where there are none from the sheets that sum them up.
 * Bandwidths are computed anew from sizes and latencies: reports differ in what they call a gigabyte.
 */
final class CallSamples {
    private static final List<String> INSTANCES = List.of("nccl_implicit_sync", "nccl_one_way", "nccl_all2allv");
    private static final List<String> SUMS =
            List.of("nccl_summary_implicit_sync", "nccl_summary_one_way", "nccl_summary_all2allv");
    private static final double BYTES_PER_MIB = Unit.MEBIBYTES.scale();

    private CallSamples() {}

    static SortedMap<CallKey, CallSample> of(List<Table> sheets) {
        SortedMap<CallKey, CallSample> samples = new TreeMap<>(CallKey.ORDER);
        for (int i = 0; i < INSTANCES.size(); i++) {
            Table instances = named(sheets, INSTANCES.get(i));
            Table sums = named(sheets, SUMS.get(i));
            if (instances != null && has(instances, "comm_latency")) {
                new Sheet(instances).instances(samples);
            } else if (sums != null && has(sums, "comm_latency_mean")) {
                new Sheet(sums).sums(samples);
            }
        }
        return samples;
    }

    /** Names of collectives whose kernels are listed, but whose latencies no sheet knows. */
    static SortedSet<String> withoutLatency(List<Table> sheets, Set<CallKey> known) {
        SortedSet<String> names = new TreeSet<>();
        Table kernels = named(sheets, "nccl_summary_long");
        int column = kernels == null ? -1 : kernels.schema().indexOf("Collective name");
        if (kernels != null && column >= 0 && kernels.columns().get(column) instanceof StringColumn texts) {
            for (int row = 0; row < kernels.rows(); row++) {
                String name = texts.get(row);
                if (name != null && known.stream().noneMatch(key -> key.name().equals(name))) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static @Nullable Table named(List<Table> sheets, String name) {
        for (Table table : sheets) {
            if (table.name().equals(name) && table.rows() > 0) {
                return table;
            }
        }
        return null;
    }

    private static boolean has(Table table, String latency) {
        return table.schema().indexOf(latency) >= 0 && table.schema().indexOf("Collective name") >= 0;
    }

    /** Columns by head, looked up once. */
    private static final class Sheet {
        private final Table table;
        private final List<Integer> key = new ArrayList<>();

        Sheet(Table table) {
            this.table = table;
            for (String head : List.of(
                    "Collective name",
                    "dtype",
                    "In msg nelems",
                    "Out msg nelems",
                    "Process Group Name",
                    "Process Group Ranks",
                    "Group size")) {
                key.add(table.schema().indexOf(head));
            }
        }

        void instances(SortedMap<CallKey, CallSample> samples) {
            int latency = table.schema().indexOf("comm_latency");
            int skew = table.schema().indexOf("skew in start time");
            for (int row = 0; row < table.rows(); row++) {
                double value = number(latency, row);
                if (!Double.isNaN(value)) {
                    sample(samples, row).add(value, number(skew, row), size(row), factor(row, ""));
                }
            }
        }

        void sums(SortedMap<CallKey, CallSample> samples) {
            int latency = table.schema().indexOf("comm_latency_mean");
            int skew = table.schema().indexOf("skew in start time_mean");
            int count = table.schema().indexOf("count");
            for (int row = 0; row < table.rows(); row++) {
                double n = number(count, row);
                double value = number(latency, row);
                if (n > 0 && !Double.isNaN(value)) {
                    sample(samples, row).sum((long) n, value, number(skew, row), size(row), factor(row, "_mean"));
                }
            }
        }

        private CallSample sample(SortedMap<CallKey, CallSample> samples, int row) {
            CallKey own = new CallKey(
                    text(key.get(0), row),
                    text(key.get(1), row),
                    whole(key.get(2), row),
                    whole(key.get(3), row),
                    text(key.get(4), row),
                    text(key.get(5), row),
                    whole(key.get(6), row));
            return samples.computeIfAbsent(own, k -> new CallSample());
        }

        private double size(int row) {
            return number(table.schema().indexOf("Full msg size (MB)"), row) * BYTES_PER_MIB;
        }

        /** What part of the size crosses a link: a ratio of two bandwidths, whatever their unit. */
        private double factor(int row, String suffix) {
            double algorithm = number(table.schema().indexOf("algo bw (GB/s)" + suffix), row);
            double bus = number(table.schema().indexOf("bus bw (GB/s)" + suffix), row);
            return algorithm > 0 ? bus / algorithm : Double.NaN;
        }

        private double number(int column, int row) {
            return column < 0 || table.columns().get(column) instanceof StringColumn
                    ? Double.NaN
                    : table.shown(column, row);
        }

        private long whole(int column, int row) {
            double value = number(column, row);
            return Double.isNaN(value) ? -1 : (long) value;
        }

        private String text(int column, int row) {
            if (column < 0 || table.columns().get(column).isMissing(row)) {
                return "";
            }
            Column cells = table.columns().get(column);
            return cells instanceof StringColumn c
                    ? Objects.requireNonNullElse(c.get(row), "")
                    : Long.toString((long) table.shown(column, row));
        }
    }
}
