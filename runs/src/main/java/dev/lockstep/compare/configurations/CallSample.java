// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.table.DoubleList;
import java.util.List;

/** The collectives of a run that share a key. */
final class CallSample {
    private static final double US_PER_MS = 1_000;

    private final DoubleList latencies = new DoubleList(8);
    private double skews;
    private long skewed;
    private double bytes = Double.NaN;
    private double busFactor = Double.NaN;
    private long counted = -1;
    private double summedMean = Double.NaN;

    /** An instance: latency and skew in µs, size in bytes, bus bandwidth over algorithm bandwidth. */
    void add(double latency, double skew, double size, double factor) {
        latencies.add(latency);
        skew(1, skew);
        size(size, factor);
    }

    /** A row that sums up so many instances; counts only where no instances are known. */
    void sum(long count, double meanLatency, double meanSkew, double size, double factor) {
        double before = counted < 0 ? 0 : counted * summedMean;
        counted = Math.max(counted, 0) + count;
        summedMean = counted == 0 ? Double.NaN : (before + count * meanLatency) / counted;
        skew(count, meanSkew);
        size(size, factor);
    }

    private void skew(long count, double mean) {
        if (!Double.isNaN(mean)) {
            skews += count * mean;
            skewed += count;
        }
    }

    private void size(double size, double factor) {
        bytes = Double.isNaN(bytes) ? size : bytes;
        busFactor = Double.isNaN(busFactor) ? factor : busFactor;
    }

    long count() {
        return counted >= 0 ? counted : latencies.size();
    }

    /** Mean latency in µs. */
    double mean() {
        return counted >= 0 ? summedMean : spread().mean();
    }

    /** Latencies over instances in µs; empty when only sums are known. */
    RealDistribution spread() {
        return RealDistribution.of(latencies);
    }

    /** The mean latency with its interval, µs. */
    Confidence interval() {
        return LongRunMeans.of(List.of(series())).mean(0).about(mean(), 1);
    }

    /** By how much the mean latency is above that of another sample, µs. */
    Confidence above(CallSample other) {
        return LongRunMeans.of(List.of(other.series(), series()))
                .difference(1, 0, 1)
                .about(mean() - other.mean(), 1);
    }

    /** Latencies in order, µs; none where only sums are known. */
    private double[] series() {
        return counted >= 0 ? new double[0] : latencies.toArray();
    }

    /** Sum of latencies in ms. */
    double totalMs() {
        return count() == 0 ? 0 : count() * mean() / US_PER_MS;
    }

    /** Mean of what the last rank came after the first, µs, over the instances of which that is known; NaN without such. */
    double meanSkew() {
        return skewed == 0 ? Double.NaN : skews / skewed;
    }

    /** How many instances {@link #meanSkew} is the mean of. */
    long skewed() {
        return skewed;
    }

    /** Size as bandwidths count it, bytes; NaN when unknown. */
    double bytes() {
        return bytes;
    }

    /** What all instances move across a link, bytes; NaN when unknown. */
    double busBytes() {
        return bytes * busFactor * count();
    }

    /** Bytes per second: size over mean latency. */
    double algorithmBandwidth() {
        double seconds = mean() / 1e6;
        return seconds > 0 ? bytes / seconds : Double.NaN;
    }

    /** Of it, what crosses a link. */
    double busBandwidth() {
        return algorithmBandwidth() * busFactor;
    }
}
