// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.input.IdealTable;
import dev.lockstep.aiu.pipeline.TableCandidate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the kernels of a job have in common with a table of ideal cycles. */
final class JobFingerprint {
    private static final int NAMED = 30;

    private final List<String> first = new ArrayList<>();
    private final Set<String> distinct = new LinkedHashSet<>();
    private int kernels;
    private double totalUs;

    void add(String kernel, double us) {
        if (kernels++ < NAMED) {
            first.add(kernel);
        }
        distinct.add(kernel);
        totalUs += us;
    }

    /** The job beside a table. */
    TableCandidate with(IdealTable table, double usPerCycle) {
        long shared = distinct.stream().filter(table::has).count();
        double tableUs = table.totalCycles() * usPerCycle;
        return new TableCandidate(first, distinct, kernels, totalUs, table.sequence(), table.rows(), shared, tableUs);
    }
}
