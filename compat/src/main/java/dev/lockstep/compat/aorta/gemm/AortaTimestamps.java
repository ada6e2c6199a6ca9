// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What AORTA's {@code enhance_gemm_variance_with_timestamps.py} writes: beside each row when the shortest and the longest
 * kernel ran whose name begins with that of the row, whatever operator and shape it belongs to.
 */
public final class AortaTimestamps {
    private static final List<String> HEADS = List.of(
            "min_duration_timestamp_ms",
            "max_duration_timestamp_ms",
            "time_between_min_max_ms",
            "min_duration_found_us",
            "max_duration_found_us");
    private static final List<String> UNKNOWN = List.of("", "", "", "", "");

    /**
     * The trace of a rank of a configuration.
     *
     * @param threads of the configuration
     * @param channel likewise
     * @param rank number of the rank
     */
    public record Place(long threads, long channel, long rank) {}

    private final PandasFrame table;
    private final Map<Place, IntList> rowsOf = new HashMap<>();
    private final List<Place> places = new ArrayList<>();
    private final List<List<String>> cells;

    /**
     * Prepares the rows.
     *
     * @param variance the file of the step before
     */
    public AortaTimestamps(PandasFrame variance) {
        table = variance;
        cells = new ArrayList<>(Collections.nCopies(table.rows(), UNKNOWN));
        for (int row = 0; row < table.rows(); row++) {
            Place place = new Place(table.whole("threads", row), table.whole("channel", row), table.whole("rank", row));
            rowsOf.computeIfAbsent(place, p -> {
                        places.add(p);
                        return new IntList(16);
                    })
                    .add(row);
        }
    }

    /** The traces that rows ask for, in order of their first rows. */
    public List<Place> places() {
        return List.copyOf(places);
    }

    /** Fills the rows of a trace. */
    public void add(Place place, Trace trace) {
        IntList rows = rowsOf.getOrDefault(place, new IntList(0));
        int[] kernels = kernels(trace);
        Map<String, List<String>> known = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            String name = table.text("kernel_name", rows.get(i));
            cells.set(rows.get(i), known.computeIfAbsent(name, n -> found(trace, kernels, n)));
        }
    }

    /** Number of rows that have times. */
    public long found() {
        return cells.stream().filter(c -> !c.equals(UNKNOWN)).count();
    }

    /** Number of rows whose shortest or longest kernel does not last what the file says, within a share of that. */
    public long mismatches(double tolerance) {
        long mismatches = 0;
        for (int row = 0; row < cells.size(); row++) {
            List<String> own = cells.get(row);
            boolean far = !own.equals(UNKNOWN)
                    && (isFar("kernel_time_min_us", row, own.get(3), tolerance)
                            || isFar("kernel_time_max_us", row, own.get(4), tolerance));
            mismatches += far ? 1 : 0;
        }
        return mismatches;
    }

    private boolean isFar(String column, int row, String found, double tolerance) {
        double expected = table.has(column) ? table.number(column, row) : Double.NaN;
        return Math.abs(Double.parseDouble(found) - expected) > tolerance * expected;
    }

    /** Number of rows. */
    public int rows() {
        return table.rows();
    }

    /** The file. */
    public String csv() {
        return table.csv(HEADS, cells);
    }

    /** Of kernels that last equally long, the first of the file is the shortest and the last the longest. */
    private static List<String> found(Trace trace, int[] kernels, String name) {
        Slices slices = trace.slices();
        byte[] judged = new byte[trace.strings().size()];
        int shortest = -1;
        int longest = -1;
        for (int kernel : kernels) {
            int id = slices.name(kernel);
            if (judged[id] == 0) {
                judged[id] = (byte) (trace.strings().get(id).startsWith(name) ? 1 : 2);
            }
            if (judged[id] == 1) {
                shortest = shortest < 0 || slices.dur(kernel) < slices.dur(shortest) ? kernel : shortest;
                longest = longest < 0 || slices.dur(kernel) >= slices.dur(longest) ? kernel : longest;
            }
        }
        if (shortest < 0) {
            return UNKNOWN;
        }
        double first = milliseconds(slices, shortest);
        double last = milliseconds(slices, longest);
        return List.of(
                Numbers.python(first),
                Numbers.python(last),
                Numbers.python(Math.abs(last - first)),
                Numbers.python(MicrosecondDoubles.of(slices.dur(shortest))),
                Numbers.python(MicrosecondDoubles.of(slices.dur(longest))));
    }

    private static double milliseconds(Slices slices, int slice) {
        return MicrosecondDoubles.start(slices, slice) / 1e3;
    }

    /** Events of category {@code kernel} in the order of the file. */
    private static int[] kernels(Trace trace) {
        Slices slices = trace.slices();
        int category = trace.strings().find("kernel");
        IntList found = new IntList(1024);
        for (int i = 0; i < slices.size(); i++) {
            if (category >= 0 && slices.category(i) == category) {
                found.add(i);
            }
        }
        int[] order = found.toArray();
        long[] places = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            places[i] = slices.index(order[i]);
        }
        LongOrder.sort(places, order);
        return order;
    }
}
