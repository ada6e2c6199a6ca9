// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.perfmodel.Work;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of one shape on one stream of a rank.
 *
 * @param shape what they compute
 * @param stream number of the stream, or its name where the file has no number
 * @param concrete values of the scalar arguments of the first operator as JSON text, null when not recorded
 * @param work what one operator has to do, null when no model knows
 * @param operators how long device activity of each of the operators ran, in ns; none when the operator is not known
 * @param perSecond how many such operators one second of device activity holds, operator by operator
 * @param spread how long the kernels took, without those of warm-up steps
 * @param warmup number of kernels of warm-up steps, which were left out
 * @param shortest the shortest of them, the first if there are several
 * @param longest the longest of them, likewise
 * @param overlap what communication did meanwhile
 */
public record Gemm(
        GemmShape shape,
        String stream,
        @Nullable String concrete,
        @Nullable Work work,
        Distribution operators,
        RealDistribution perSecond,
        DurationSpread spread,
        int warmup,
        Instance shortest,
        Instance longest,
        Overlap overlap) {
    /**
     * One kernel.
     *
     * @param start on the trace's own clock in ns
     * @param duration in ns
     * @param step number of the step in which it was launched, -1 when not known
     * @param communication what communicated while it ran
     */
    public record Instance(long start, long duration, long step, Concurrent communication) {}

    /**
     * Communication on the same device while the kernels ran.
     *
     * @param coveredNs how long communication ran meanwhile, summed over the kernels
     * @param slowdown kernels during which any communication ran against those during which none did
     * @param atStart the same by whether communication ran when the kernel began, which does not depend on how long it took
     * @param byPosition whether kernels are compared only with those at the same place of other steps
     */
    public record Overlap(long coveredNs, Slowdown slowdown, Slowdown atStart, boolean byPosition) {}

    /** Percentage of the kernels' time during which communication ran. */
    public double coveredPercent() {
        return spread.sum() == 0 ? 0 : 100.0 * overlap.coveredNs / spread.sum();
    }
}
