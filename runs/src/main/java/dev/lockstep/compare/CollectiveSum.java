// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

/**
 * Collectives of one kind summed up. What is unknown is NaN.
 *
 * @param key what they have in common
 * @param bytes size as bandwidths count it
 * @param count how many there are
 * @param totalMs sum of latencies, ms
 * @param latency shortest kernel among the ranks, µs
 * @param startSkew from the first to the last start, µs
 * @param endSkew from the first to the last end, µs
 * @param algorithm size over latency, in the unit of the sheet
 * @param bus what of it crosses a link, likewise
 */
public record CollectiveSum(
        CallKey key,
        double bytes,
        double count,
        double totalMs,
        Figures latency,
        Figures startSkew,
        Figures endSkew,
        Figures algorithm,
        Figures bus) {
    /** A quantity over the collectives of a row. */
    public record Figures(double mean, double median, double min, double max) {}

    /** What part of the size crosses a link: a ratio of two bandwidths, whatever their unit. */
    public double busFactor() {
        return algorithm.mean > 0 ? bus.mean / algorithm.mean : Double.NaN;
    }
}
