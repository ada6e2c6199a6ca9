// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.analyze.sweep.SweepPoint;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.table.Table;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What analyses of a sweep want to know, from the sheets of reports. Ranks of which a part is missing do not count. */
public final class SweepPoints {
    private SweepPoints() {}

    public static List<SweepPoint> of(List<ReportedConfiguration> configurations) {
        return configurations.stream().map(SweepPoints::of).toList();
    }

    private static SweepPoint of(ReportedConfiguration one) {
        SortedMap<Integer, Table> timelines = new TreeMap<>(one.sheets("gpu_timeline"));
        timelines.keySet().retainAll(one.whole());
        timelines.values().removeIf(table -> table.rows() == 0);
        SortedMap<Integer, Integer> steps = new TreeMap<>();
        one.sheets("gpu_timeline_by_step").forEach((rank, table) -> steps.put(rank, table.rows()));
        return new SweepPoint(
                one.configuration().label(),
                one.configuration().settings().threads(),
                one.configuration().settings().channels(),
                (int) one.coverage().parts().stream()
                        .filter(part -> part.rank() >= 0)
                        .mapToInt(Part::rank)
                        .distinct()
                        .count(),
                timelines,
                steps,
                Stream.of("nccl_summary_implicit_sync", "nccl_summary_one_way")
                        .map(name -> sheet(one.collectives(), name))
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** The sheet of this name among these, null for none or one without columns. */
    public static @Nullable Table sheet(@Nullable List<Table> sheets, String name) {
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
