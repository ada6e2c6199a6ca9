// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

/**
 * The cpus of a stream. When there are fewer than are asked for, they are shared.
 *
 * @param first number of the first
 * @param count how many there are; at least one
 */
public record CpuRange(int first, int count) {
    /** All cpus from one on. */
    public static CpuRange from(int first) {
        return new CpuRange(first, Integer.MAX_VALUE);
    }

    /** The i-th cpu. */
    public int of(int i) {
        return first + i % count;
    }
}
