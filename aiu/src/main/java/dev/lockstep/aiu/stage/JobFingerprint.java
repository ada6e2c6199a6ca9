// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.input.IdealTable;
import dev.lockstep.aiu.pipeline.TableCandidate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the kernels of a job have in common with a table of ideal cycles. */
final class JobFingerprint {
    private static final int NAMED = 30;

    private final List<String> first = new ArrayList<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private int kernels;
    private double totalUs;

    void add(String kernel, double us) {
        if (kernels++ < NAMED) {
            first.add(kernel);
        }
        counts.merge(kernel, 1, Integer::sum);
        totalUs += us;
    }

    /** The job beside a table. */
    TableCandidate with(IdealTable table, double usPerCycle) {
        long shared = counts.keySet().stream().filter(table::has).count();
        double tableUs = table.totalCycles() * usPerCycle;
        double ideal = 0;
        for (Map.Entry<String, Integer> kernel : counts.entrySet()) {
            // the total is that of all kernels together
            int times = kernel.getKey().equals(Utilization.TOTAL) ? 1 : kernel.getValue();
            ideal += (double) table.cycles(kernel.getKey()) * times;
        }
        return new TableCandidate(
                first,
                counts.keySet(),
                kernels,
                totalUs,
                table.sequence(),
                table.rows(),
                shared,
                tableUs,
                ideal * usPerCycle);
    }
}
