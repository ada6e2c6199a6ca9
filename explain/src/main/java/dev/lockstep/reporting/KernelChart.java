// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.work.KernelSummary;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.model.SliceKind;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.words.KernelLabels;
import dev.lockstep.words.ShownNames;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The kernels that take most time, as bars; each leads to the longest of its name. */
final class KernelChart {
    private static final int MOST = 12;
    private static final double NS_PER_MS = 1e6;

    private KernelChart() {}

    /** The chart, drawn where a writer asks for it; null where there is but one kernel, or none. */
    static @Nullable ChartSection of(KernelSummary.Result kernels, KernelRules rules) {
        boolean several = kernels.rows().stream()
                        .map(KernelSummary.Row::kernel)
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
        return several ? new ChartSection(() -> drawn(kernels, rules)) : null;
    }

    private static StackedBars drawn(KernelSummary.Result kernels, KernelRules rules) {
        Map<String, Long> times = new TreeMap<>();
        for (KernelSummary.Row row : kernels.rows()) {
            times.merge(row.kernel(), row.durations().sum(), Long::sum);
        }
        List<Bar> bars = new ArrayList<>();
        List<Map.Entry<String, Long>> shown = times.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST)
                .toList();
        Map<String, Long> labels = shown.stream()
                .collect(Collectors.groupingBy(one -> KernelLabels.of(one.getKey()), Collectors.counting()));
        shown.forEach(kernel -> {
            boolean communicates = rules.classOf(SliceKind.KERNEL, kernel.getKey()) == KernelClass.COMMUNICATION;
            double time = kernel.getValue() / NS_PER_MS;
            String name = ShownNames.of(kernel.getKey());
            double[] parts = communicates ? new double[] {0, time} : new double[] {time, 0};
            String label = KernelLabels.of(kernel.getKey());
            bars.add(new Bar(labels.getOrDefault(label, 0L) == 1 ? label : name, parts, new Evidence.Events(name)));
        });
        return new StackedBars(
                "Kernels that take most time",
                "Sums of the durations of all kernels of a name"
                        + (times.size() > MOST ? ", the " + MOST + " largest of " + Words.count(times.size()) : "")
                        + ".",
                "ms",
                List.of("computation", "communication"),
                bars,
                true);
    }
}
