// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a serving run is in its steady state: as many requests in the batch as it ever has, within a tenth. A region begins
 * when six iterations were near the peak, and ends with the last one that is, once as many were away from it.
 * Windows are taken from the longest region.
 *
 * @param windows the iterations
 * @param steps how long a window shall be
 * @param target share of iterations with prefill that a representative window has; NaN for that of all regions
 */
public record SteadyState(List<Window> windows, int steps, double target) {
    private static final int SETTLED = 5;
    private static final double NEAR = 0.1;
    private static final double NEAR_IN_SHORT_RUNS = 0.2;
    private static final int MOST_STARTS = 10;

    /** Iterations {@code [from, to)}. */
    public record Range(int from, int to) {
        public int size() {
            return to - from;
        }
    }

    private record Candidate(Range range, double share, double requests) {}

    /**
     * With what is known about the load: of a number of concurrent requests, each of which produces between {@code r} and
     * one times {@code outputs} tokens, one in so many iterations has to read a prompt. Windows become long enough to show one.
     */
    public static SteadyState ofLoad(List<Window> windows, int steps, int concurrency, double outputs, double r) {
        double share = 2.0 * concurrency / (outputs * (1 + Math.clamp(r, 0.0, 1.0)));
        return new SteadyState(windows, Math.max(steps, (int) Math.min(1e6, Math.ceil(1 / share))), share);
    }

    /** All steady regions; where there is none, the middle of the run. */
    public List<Range> regions() {
        long peak = windows.stream().mapToLong(Window::requests).max().orElse(0);
        double near = Math.max(1, (windows.size() >= steps ? NEAR : NEAR_IN_SHORT_RUNS) * peak);
        List<Range> found = new ArrayList<>();
        int balance = 0;
        int start = -1;
        int latest = -1;
        for (int i = 0; i < windows.size(); i++) {
            boolean close = Math.abs(windows.get(i).requests() - peak) <= near;
            latest = close ? i : latest;
            if (start < 0) {
                balance += close ? 1 : 0;
                start = balance > SETTLED ? i - balance + 1 : -1;
            } else {
                balance -= close ? 0 : 1;
                if (balance <= 0) {
                    found.add(new Range(start, latest + 1));
                    start = -1;
                    balance = 0;
                }
            }
        }
        if (start >= 0) {
            found.add(new Range(start, latest + 1));
        }
        return found.isEmpty() ? List.of(middle()) : found;
    }

    /** A window whose share of iterations with prefill is that of the load; one with prefill, if there is any. */
    public Range mixed() {
        List<Range> regions = regions();
        Range longest = longest(regions);
        double wanted = Double.isNaN(target) ? share(regions) : target;
        List<Candidate> candidates = candidates(longest);
        boolean anyPrefill = candidates.stream().anyMatch(c -> c.share > 0);
        return candidates.stream()
                .filter(c -> !anyPrefill || c.share > 0)
                .min(Comparator.comparingDouble((Candidate c) -> Math.abs(c.share - wanted))
                        .thenComparingDouble(c -> -c.requests))
                .map(Candidate::range)
                .orElse(longest);
    }

    /** The longest run of iterations that only produce tokens, or null. */
    public @Nullable Range decodeOnly() {
        return run(Window::isDecodeOnly);
    }

    /** The longest run of iterations that all read prompts, or null. */
    public @Nullable Range prefill() {
        return run(Window::hasPrefill);
    }

    /** Without knowledge about batches: the window whose iterations take the most even time. */
    public Range even() {
        int n = windows.size();
        int size = Math.min(steps, n);
        double[] times = windows.stream().mapToDouble(w -> w.end() - w.start()).toArray();
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        double median = Quantiles.upperMedian(sorted, 0);
        double sum = 0;
        double best = Double.POSITIVE_INFINITY;
        int from = 0;
        for (int i = 0; i < n; i++) {
            sum += Math.abs(times[i] - median);
            sum -= i >= size ? Math.abs(times[i - size] - median) : 0;
            if (i >= size - 1 && sum < best) {
                best = sum;
                from = i - size + 1;
            }
        }
        return new Range(from, from + size);
    }

    private Range middle() {
        int n = windows.size();
        int cut = Math.min(n, Math.max(8, steps - n)) / 2;
        int from = Math.min(cut, Math.max(0, n - 1));
        return new Range(from, Math.max(from + 1, n - cut));
    }

    private @Nullable Range run(Predicate<Window> wanted) {
        Range region = longest(regions());
        Range best = null;
        int start = region.from;
        for (int i = region.from; i <= region.to; i++) {
            if (i == region.to || !wanted.test(windows.get(i))) {
                if (i > start && (best == null || i - start > best.size())) {
                    best = new Range(start, i);
                }
                start = i + 1;
            }
        }
        return best == null ? null : new Range(best.from, Math.min(best.to, best.from + steps));
    }

    private List<Candidate> candidates(Range region) {
        int size = Math.min(steps, region.size());
        int stride = Math.max(1, steps / Math.clamp(steps / 2, 1, MOST_STARTS));
        List<Candidate> found = new ArrayList<>();
        for (int from = region.from; from + size <= region.to; from += stride) {
            Range range = new Range(from, from + size);
            double requests = windows.subList(from, from + size).stream()
                    .mapToLong(Window::requests)
                    .average()
                    .orElse(0);
            found.add(new Candidate(range, share(List.of(range)), requests));
        }
        return found;
    }

    private double share(List<Range> ranges) {
        int all = 0;
        int prefill = 0;
        for (Range range : ranges) {
            for (int i = range.from; i < range.to; i++) {
                all++;
                prefill += windows.get(i).hasPrefill() ? 1 : 0;
            }
        }
        return all == 0 ? 0 : (double) prefill / all;
    }

    private static Range longest(List<Range> regions) {
        Range best = regions.getFirst();
        for (Range region : regions) {
            best = region.size() > best.size() ? region : best;
        }
        return best;
    }
}
