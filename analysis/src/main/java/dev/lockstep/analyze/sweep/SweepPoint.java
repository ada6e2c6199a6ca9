// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.sweep;

import dev.lockstep.table.Table;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A configuration of a sweep with what the reports of its ranks say.
 *
 * @param label what to call it, as in {@code 256thread_28ch}
 * @param threads threads per block, -1 when unknown
 * @param channels channels, -1 when unknown
 * @param ranks how many ranks it has, as far as known; 0 for a configuration of which nothing is there
 * @param timelines the sheet {@code gpu_timeline} of each rank that has one
 * @param steps number of steps that each rank recorded; ranks without marks of steps are not in it
 * @param collectives sheets that sum up collectives, {@code nccl_summary_implicit_sync} and others with its columns
 */
public record SweepPoint(
        String label,
        long threads,
        long channels,
        int ranks,
        SortedMap<Integer, Table> timelines,
        SortedMap<Integer, Integer> steps,
        List<Table> collectives) {
    public SweepPoint {
        timelines = Collections.unmodifiableSortedMap(new TreeMap<>(timelines));
        steps = Collections.unmodifiableSortedMap(new TreeMap<>(steps));
        collectives = List.copyOf(collectives);
    }
}
