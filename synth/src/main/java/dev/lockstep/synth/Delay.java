// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * A single device activity that takes longer than it should.
 *
 * @param rank in the job
 * @param correlation number of the call that launches it, in the rank's trace
 * @param node its place in the graph that the call launches, from 1; 0 where it launches the activity alone
 * @param nanos how much longer
 */
public record Delay(int rank, long correlation, int node, long nanos) {
    /** Of an activity that is launched alone. */
    public Delay(int rank, long correlation, long nanos) {
        this(rank, correlation, 0, nanos);
    }

    public Delay {
        if (rank < 0 || correlation < 0 || node < 0 || nanos < 0) {
            throw new IllegalArgumentException(
                    "a delay wants a rank, a correlation number, a node and a time, none negative");
        }
    }
}
