// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.configurations;

import dev.lockstep.table.Table;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A configuration with what the reports of its ranks say.
 *
 * @param label what it is called
 * @param timelines the sheet {@code gpu_timeline} of each rank that has one
 * @param steps number of steps that each rank recorded; ranks without marks of steps are not in it
 * @param collectives the sheets of its report on collectives
 */
public record ConfiguredRun(
        String label, SortedMap<Integer, Table> timelines, SortedMap<Integer, Integer> steps, List<Table> collectives) {
    public ConfiguredRun {
        timelines = Collections.unmodifiableSortedMap(new TreeMap<>(timelines));
        steps = Collections.unmodifiableSortedMap(new TreeMap<>(steps));
        collectives = List.copyOf(collectives);
    }
}
