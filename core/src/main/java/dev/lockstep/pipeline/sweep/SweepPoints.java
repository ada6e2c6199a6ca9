// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.pipeline.sweep;

import dev.lockstep.analyze.sweep.SweepPoint;
import dev.lockstep.table.Table;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What analyses of a sweep want to know, from the sheets of reports. */
final class SweepPoints {
    private SweepPoints() {}

    static List<SweepPoint> of(List<ConfigurationSheets> configurations) {
        return configurations.stream().map(SweepPoints::of).toList();
    }

    private static SweepPoint of(ConfigurationSheets one) {
        SortedMap<Integer, Table> timelines = new TreeMap<>();
        SortedMap<Integer, Integer> steps = new TreeMap<>();
        one.performance().forEach((rank, sheets) -> {
            Table timeline = ConfigurationSheets.sheet(sheets, "gpu_timeline");
            if (timeline != null) {
                timelines.put(rank, timeline);
            }
            Table bySteps = ConfigurationSheets.sheet(sheets, "gpu_timeline_by_step");
            if (bySteps != null && bySteps.rows() > 0) {
                steps.put(rank, bySteps.rows());
            }
        });
        return new SweepPoint(
                one.configuration().label(),
                one.configuration().settings().threads(),
                one.configuration().settings().channels(),
                one.ranks(),
                timelines,
                steps,
                Stream.ofNullable(one.collectives())
                        .flatMap(sheets -> ConfigurationSheets.COLLECTIVES.stream()
                                .map(name -> ConfigurationSheets.sheet(sheets, name)))
                        .filter(Objects::nonNull)
                        .toList());
    }
}
