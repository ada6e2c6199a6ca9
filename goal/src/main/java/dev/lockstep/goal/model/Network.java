// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * A network without congestion, in the terms of LogGOPS.
 *
 * @param latency L: ns that a message is under way
 * @param overhead o: ns that a processor spends on a message
 * @param gap g: ns that a network card spends on a message
 * @param overheadPerByte O: ns that a processor spends on each byte behind the first
 * @param gapPerByte G: ns that the card, and the way, spend on each byte behind the first
 * @param eager S: larger messages wait for their receiver (rendezvous), and their senders with them
 */
public record Network(long latency, long overhead, long gap, long overheadPerByte, double gapPerByte, long eager) {
    /** Values in use for a fabric of 200 Gb/s: 0.04 ns for each byte, every message with rendezvous. */
    public static final Network DEFAULT = new Network(3700, 200, 5, 0, 0.04, 0);

    /**
     * A faster network: latency and all that is spent on cards and the way are divided. What is beyond 64 bits becomes the
     * largest number, with which no message can be simulated.
     *
     * @param times by what, more than 0
     * @return the other network
     */
    public Network faster(double times) {
        return new Network(
                Math.round(latency / times),
                overhead,
                Math.round(gap / times),
                overheadPerByte,
                gapPerByte / times,
                eager);
    }

    /**
     * A network with more bandwidth: what a byte takes is divided, the latency stays.
     *
     * @param times by what, more than 0
     * @return the other network
     */
    public Network wider(double times) {
        return new Network(latency, overhead, gap, overheadPerByte, gapPerByte / times, eager);
    }
}
