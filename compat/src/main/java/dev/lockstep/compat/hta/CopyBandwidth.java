// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How much copies and fills moved at a time, by what they copy from where to where. */
record CopyBandwidth() implements HtaSheet {
    private static final int KIND_LETTERS = 11;
    private static final String FILL = "Memset";
    private static final long LEAST_NS = 1000;

    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        List<ColumnSpec> columns = new ArrayList<>();
        columns.add(RANK);
        columns.add(ColumnSpec.text("name", "Kind of the copies; Memset for fills."));
        columns.addAll(SeriesSummary.columns(Unit.GIGABYTES_PER_SECOND, "the bandwidths above 0 in use"));
        return new Schema(columns);
    }

    /** Hears of each change. */
    interface Changes {
        /** @param level GB/s behind the change */
        void change(long ns, double level);
    }

    /** Device events that state a bandwidth, by kind. */
    static Map<String, IntList> kinds(HtaEvents events) {
        Map<String, IntList> kinds = new TreeMap<>();
        DeviceDetails details = events.trace().view(DeviceDetails.KEY);
        for (int e = 0; e < events.devices() && details != null; e++) {
            if (events.kind(e) == HtaKind.MEMORY && !Double.isNaN(bandwidth(events, details, e))) {
                String name = events.trace().name(events.slice(e));
                String kind = name.startsWith(FILL) ? FILL : name.substring(0, Math.min(KIND_LETTERS, name.length()));
                kinds.computeIfAbsent(kind, k -> new IntList(16)).add(e);
            }
        }
        return kinds;
    }

    /** Tells of every change: ends before beginnings where both fall together, each by its {@linkplain HtaEvents#place place}. */
    static void walk(HtaEvents events, IntList copies, Changes changes) {
        DeviceDetails details = events.trace().view(DeviceDetails.KEY);
        if (details == null) {
            return;
        }
        int n = copies.size();
        int[] order = new int[2 * n];
        long[] keys = new long[2 * n];
        for (int i = 0; i < 2 * n; i++) {
            order[i] = i;
            keys[i] = events.place(events.slice(copies.get(i >> 1)));
        }
        LongOrder.sort(keys, order);
        for (int i = 0; i < 2 * n; i++) {
            int slice = events.slice(copies.get(order[i] >> 1));
            long start = events.start(slice);
            boolean begins = (order[i] & 1) == 0;
            long end = events.end(slice) == start ? start + LEAST_NS : events.end(slice);
            keys[i] = begins ? 2 * start + 1 : 2 * end;
        }
        LongOrder.sort(keys, order);
        double level = 0;
        int running = 0;
        for (int i = 0; i < 2 * n; i++) {
            double bandwidth = bandwidth(events, details, copies.get(order[i] >> 1));
            boolean begins = (order[i] & 1) == 0;
            running += bandwidth == 0 ? 0 : begins ? 1 : -1;
            // nothing runs: exactly nothing, whatever sums of doubles leave
            level = running == 0 ? 0 : begins ? level + bandwidth : level - bandwidth;
            changes.change(keys[i] >> 1, level);
        }
    }

    private static double bandwidth(HtaEvents events, DeviceDetails details, int event) {
        return details.bandwidth(details.of(events.slice(event)));
    }

    @Override
    public Table table(HtaEvents events) {
        TableBuilder table = new TableBuilder("hta_memory_bandwidth", "Bandwidth of copies and fills", SCHEMA);
        kinds(events).forEach((kind, copies) -> {
            DoubleList levels = new DoubleList(copies.size());
            walk(events, copies, (ns, level) -> {
                if (level > 0) {
                    levels.add(level);
                }
            });
            if (levels.size() > 0) {
                double[] values = levels.toArray();
                table.row(SeriesSummary.of(values, values.length).row(events.rank(), kind));
            }
        });
        return table.build();
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no copy or fill states its bandwidth");
    }
}
