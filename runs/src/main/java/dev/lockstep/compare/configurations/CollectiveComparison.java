// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.RunSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Collectives side by side, matched by {@link CallKey}; the interval of a difference comes
 * from the scatter over instances, in the order of time. */
final class CollectiveComparison {
    /**
     * Collectives with one key beside those of the baseline.
     *
     * @param run place of the run
     * @param key what they share
     * @param baseline those of the baseline; null when it has none
     * @param own those of the run; null when it has none
     * @param latency of means, µs
     * @param bus of bus bandwidths, bytes per second
     * @param total of sums of latencies, ms; who has none has 0
     */
    record Row(
            int run,
            CallKey key,
            @Nullable CallSample baseline,
            @Nullable CallSample own,
            Change latency,
            Change bus,
            Change total) {}

    private final List<SortedMap<CallKey, CallSample>> runs;
    private final List<SortedSet<String>> withoutLatency = new ArrayList<>();
    private final List<Double> divisors = new ArrayList<>();

    CollectiveComparison(List<RunSummary> runs, TimelineComparison timelines) {
        this.runs = runs.stream().map(run -> CallSamples.of(run.collectives())).toList();
        for (int run = 0; run < runs.size(); run++) {
            divisors.add(timelines.divisor(run));
            withoutLatency.add(CallSamples.withoutLatency(
                    runs.get(run).collectives(), this.runs.get(run).keySet()));
        }
    }

    int size() {
        return runs.size();
    }

    SortedMap<CallKey, CallSample> samples(int run) {
        return runs.get(run);
    }

    SortedSet<CallKey> keys() {
        SortedSet<CallKey> keys = new TreeSet<>(CallKey.ORDER);
        runs.forEach(run -> keys.addAll(run.keySet()));
        return keys;
    }

    /** Names of collectives of a run that are compared with nothing, because no sheet knows their latencies. */
    SortedSet<String> withoutLatency(int run) {
        return withoutLatency.get(run);
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int run = 1; run < runs.size(); run++) {
            rows.addAll(rows(run));
        }
        return rows;
    }

    List<Row> rows(int run) {
        List<Row> rows = new ArrayList<>();
        for (CallKey key : keys()) {
            CallSample base = runs.getFirst().get(key);
            CallSample own = runs.get(run).get(key);
            if (base != null || own != null) {
                rows.add(row(run, key, base, own));
            }
        }
        return rows;
    }

    /** Sum of latencies of a run, ms; of a step, where runs recorded different numbers of them. */
    double totalMs(int run) {
        double sum = 0;
        for (CallSample sample : runs.get(run).values()) {
            sum += sample.totalMs();
        }
        return sum / divisors.get(run);
    }

    /** What crosses a link in all over the time that takes, over the collectives of known size; bytes per second. */
    double busBandwidth(int run) {
        double bytes = 0;
        double ms = 0;
        for (CallSample sample : runs.get(run).values()) {
            if (!Double.isNaN(sample.busBytes())) {
                bytes += sample.busBytes();
                ms += sample.totalMs();
            }
        }
        return ms > 0 ? bytes / (ms / 1e3) : Double.NaN;
    }

    /** Mean over instances of what the last rank came after the first, µs; NaN where no sheet says. */
    double meanSkew(int run) {
        double sum = 0;
        long count = 0;
        for (CallSample sample : runs.get(run).values()) {
            sum += sample.skewed() == 0 ? 0 : sample.meanSkew() * sample.skewed();
            count += sample.skewed();
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    private Row row(int run, CallKey key, @Nullable CallSample base, @Nullable CallSample own) {
        double from = base == null ? Double.NaN : base.mean();
        double to = own == null ? Double.NaN : own.mean();
        Confidence interval = base == null || own == null ? Confidence.UNKNOWN : own.above(base);
        return new Row(
                run,
                key,
                base,
                own,
                new Change(from, to, interval, false),
                bus(base, own, interval),
                total(run, base, own, interval));
    }

    /** A bandwidth is a size over a latency, and changes with it. */
    private static Change bus(@Nullable CallSample base, @Nullable CallSample own, Confidence latency) {
        double from = base == null ? Double.NaN : base.busBandwidth();
        double to = own == null ? Double.NaN : own.busBandwidth();
        double mean = base == null ? Double.NaN : base.mean();
        double scale = own == null ? Double.NaN : to * own.mean();
        Confidence interval = new Confidence(
                latency.count(),
                to - from,
                Double.NaN,
                scale / (mean + latency.high()) - from,
                mean + latency.low() > 0 ? scale / (mean + latency.low()) - from : Double.POSITIVE_INFINITY);
        return new Change(from, to, latency.isKnown() ? interval : Confidence.UNKNOWN, true);
    }

    /** A sum changes with the mean; where there are more or fewer of them, how sure that is cannot be said. */
    private Change total(int run, @Nullable CallSample base, @Nullable CallSample own, Confidence latency) {
        double from = base == null ? 0 : base.totalMs() / divisors.getFirst();
        double to = own == null ? 0 : own.totalMs() / divisors.get(run);
        double before = base == null ? 0 : base.count() / divisors.getFirst();
        double count = own == null ? 0 : own.count() / divisors.get(run);
        Confidence interval = before == count ? latency.about(to - from, count / 1e3) : Confidence.UNKNOWN;
        return new Change(from, to, interval, false);
    }
}
