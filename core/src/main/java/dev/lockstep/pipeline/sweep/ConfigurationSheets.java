// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.pipeline.sweep;

import dev.lockstep.runs.Configuration;
import dev.lockstep.table.Table;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the reports of a configuration say that matters for the whole sweep.
 *
 * @param configuration the configuration; of one without reports the rest is empty
 * @param ranks ranks that it has, as far as known
 * @param performance by rank, sheets of its report; empty for a report that cannot be used
 * @param collectives sheets of the report on collectives; null when there is none
 */
public record ConfigurationSheets(
        Configuration configuration,
        int ranks,
        SortedMap<Integer, List<Table>> performance,
        @Nullable List<Table> collectives) {
    /** The sheets of performance reports that are needed. */
    public static final List<String> PERFORMANCE = List.of("gpu_timeline", "gpu_timeline_by_step");

    /** The sheets of reports on collectives that are needed. */
    public static final List<String> COLLECTIVES = List.of("nccl_summary_implicit_sync", "nccl_summary_one_way");

    public ConfigurationSheets {
        performance = Collections.unmodifiableSortedMap(new TreeMap<>(performance));
        collectives = collectives == null ? null : List.copyOf(collectives);
    }

    /** The sheet of this name among these, or null. */
    static @Nullable Table sheet(@Nullable List<Table> sheets, String name) {
        if (sheets != null) {
            for (Table table : sheets) {
                if (table.name().equals(name) && table.schema().size() > 0) {
                    return table;
                }
            }
        }
        return null;
    }
}
