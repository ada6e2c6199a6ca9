// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.compare.sheets.Amount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The span of a report in parts that do not overlap and add up to the whole.
 *
 * @param totalNs from the first start to the last end of device activity
 * @param ns time of each of {@link #NAMES}, in that order; passes to the record
 */
@SuppressWarnings("ArrayRecordComponent")
record TimeParts(long totalNs, long[] ns) {
    static final List<String> NAMES = List.of(
            "computation", "exposed communication", "exposed copies", "exposed other", "not told apart", "idle");

    private static final Set<String> IDLE = Set.of(
            TimelinePartNames.IDLE_TIME, TimelinePartNames.MICRO_IDLE_TIME, TimelinePartNames.MACRO_IDLE_TIME, "idle");
    private static final int REST = 4;

    /** The parts of each report in a comparison of timelines; null for one that has no total. */
    static @Nullable TimeParts of(SheetComparison timelines, int report) {
        Map<String, Long> times = new LinkedHashMap<>();
        for (SheetComparison.Row row : timelines.rows()) {
            boolean recompute = row.key().size() > 1 && row.key().get(1).equals("true");
            Amount amount = row.amounts()[report];
            if (!recompute && amount != null) {
                times.put(row.key().getFirst(), amount.ns());
            }
        }
        Long total = times.get(TimelinePartNames.TOTAL_TIME);
        if (total == null) {
            return null;
        }
        long[] ns = new long[NAMES.size()];
        ns[0] = times.getOrDefault(TimelinePartNames.COMPUTATION_TIME, times.getOrDefault("kernel", 0L));
        ns[1] = times.getOrDefault(TimelinePartNames.EXPOSED_COMM_TIME, 0L);
        ns[2] = times.getOrDefault(TimelinePartNames.EXPOSED_MEMCPY_TIME, 0L);
        ns[3] = times.getOrDefault(TimelinePartNames.EXPOSED_OTHER_TIME, 0L);
        ns[5] = IDLE.stream().mapToLong(name -> times.getOrDefault(name, 0L)).sum();
        ns[REST] = total - ns[0] - ns[1] - ns[2] - ns[3] - ns[5];
        return new TimeParts(total, ns);
    }

    long idleNs() {
        return ns[5];
    }

    long busyNs() {
        return totalNs - ns[5];
    }
}
