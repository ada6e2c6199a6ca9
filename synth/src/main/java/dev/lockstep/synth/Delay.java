// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * A single device activity that takes longer than it should.
 *
 * @param rank in the job
 * @param correlation number of the call that launches it, in the rank's trace
 * @param nanos how much longer
 */
public record Delay(int rank, long correlation, long nanos) {
    public Delay {
        if (rank < 0 || correlation < 0 || nanos < 0) {
            throw new IllegalArgumentException("a delay wants a rank, a correlation number and a time, none negative");
        }
    }
}
