// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Distribution;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that operators of one kind launched at the same place of their sequence.
 *
 * @param name name of the kernel of the first of these operators
 * @param stream its stream, null when not recorded
 * @param durations of all of them, in ns
 * @param shortMeanUs their mean in µs with two decimals, as rates see times
 * @param stack JSON: from where the first of them was launched; null when it was not asked for
 */
public record KernelPosition(
        String name,
        @Nullable Long stream,
        Distribution durations,
        double shortMeanUs,
        @Nullable String stack) {}
