// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Columns about what communication does to kernels.
 *
 * @param during by whether communication ran while the kernel did
 * @param atStart by whether it ran when the kernel began
 */
record SlowdownColumns<R>(Fields<R> fields, Function<R, Slowdown> during, Function<R, Slowdown> atStart) {
    /** @param covered percentage of the kernels' time */
    void add(ToDoubleFunction<R> covered) {
        fields.add(
                ColumnSpec.percent("comm_covered_pct", "Share of the kernels' time during which communication ran."),
                r -> covered.applyAsDouble(r));
        fields.add(
                ColumnSpec.count("n_overlapped", "Number of kernels during which communication ran."),
                r -> during.apply(r).overlapped());
        fields.add(
                ColumnSpec.count("n_alone", "Number of kernels during which none ran: the control group."),
                r -> during.apply(r).alone());
        percent(
                "comm_slowdown_pct",
                "How much longer kernels take while communication runs: ratio of geometric means less one, against alike"
                        + " kernels just before and after; missing when there is nothing to compare.",
                r -> during.apply(r).percent());
        percent(
                "comm_slowdown_low_pct",
                "Lower end of its 95 % confidence interval by the scatter over places of the run, ranks together.",
                r -> during.apply(r).low());
        percent(
                "comm_slowdown_high_pct",
                "Upper end of it; both missing when there are too few.",
                r -> during.apply(r).high());
        fields.add(
                ColumnSpec.text("comm_verdict", "What that allows to say."),
                r -> during.apply(r).verdict().words());
        percent(
                "comm_slowdown_at_start_pct",
                "The same by whether communication ran when the kernel began: long kernels meet communication more often"
                        + " because they are long, which this does not depend on.",
                r -> atStart.apply(r).percent());
        percent(
                "comm_slowdown_at_start_low_pct",
                "Lower end of its 95 % confidence interval.",
                r -> atStart.apply(r).low());
        percent(
                "comm_slowdown_at_start_high_pct",
                "Upper end of it.",
                r -> atStart.apply(r).high());
    }

    private void percent(String head, String doc, Function<R, Double> value) {
        fields.add(ColumnSpec.percent(head, doc), value::apply);
    }
}
