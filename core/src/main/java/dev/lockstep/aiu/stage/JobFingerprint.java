// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.input.IdealTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the kernels of a job have in common with a table of ideal cycles. */
final class JobFingerprint {
    private static final int NAMED = 30;
    private static final double WEIGHT = 0.5;

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

    /**
     * How much a table is like the job, as acelyzer sees it: at most 1.5, and 0 when the job has more kernels than the
     * table has rows, or took less time than the table says.
     */
    double similarity(IdealTable table, double usPerCycle) {
        double similarity = Collections.indexOfSubList(table.sequence(), first) >= 0 ? WEIGHT : WEIGHT / 2;
        double tableUs = table.totalCycles() * usPerCycle;
        if (kernels > table.rows() || tableUs > totalUs || table.rows() == 0) {
            return 0;
        }
        similarity += WEIGHT * kernels / table.rows();
        return similarity + (totalUs > 0 ? WEIGHT * tableUs / totalUs : 0);
    }

    /**
     * As above for a job of any number of iterations: the part of its kernels that the table has, the part of the
     * table's that the job has, and how near its time lies to a whole number of the table's.
     */
    double likeness(IdealTable table, double usPerCycle) {
        long known = distinct.stream().filter(table::has).count();
        Set<String> rows = new LinkedHashSet<>(table.sequence());
        long met = rows.stream().filter(distinct::contains).count();
        if (distinct.isEmpty() || rows.isEmpty()) {
            return 0;
        }
        double tableUs = table.totalCycles() * usPerCycle;
        double iterations = Math.max(1, Math.rint((double) kernels / rows.size()));
        double filled = totalUs > 0 ? Math.min(1, tableUs * iterations / totalUs) : 0;
        return WEIGHT * known / distinct.size() + WEIGHT * met / rows.size() + WEIGHT * filled;
    }
}
