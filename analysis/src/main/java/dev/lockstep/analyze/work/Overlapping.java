// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Overlaps;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What ran on other streams while the kernels of like operators ran.
 *
 * @param names of the overlapping kernels, in order of appearance; null when there are none
 * @param kernels what each of them took
 * @param share how much of the operators' device time they covered
 */
public record Overlapping(@Nullable List<String> names, List<KernelPosition> kernels, RealDistribution share) {
    /** What overlaps the kernels of one operator. The arrays run in parallel and pass to the record. */
    @SuppressWarnings("ArrayRecordComponent")
    record One(int[] names, long[] streams, long[] durations, double share) {
        boolean isEmpty() {
            return names.length == 0;
        }
    }

    static Finder finder(DerivedCache cache, AnalysisRules rules, OverlapRule rule, KernelSeconds seconds) {
        Overlaps overlaps = cache.get(new Overlaps.Key(rules.tree(), rules.links(), rule.leastNs()));
        return new Finder(cache.trace(), overlaps, rule, seconds);
    }

    /** Looks up overlaps. */
    static final class Finder {
        private static final double NS_PER_US = 1000;

        private final Trace trace;
        private final Overlaps overlaps;
        private final OverlapRule rule;
        private final KernelSeconds seconds;

        Finder(Trace trace, Overlaps overlaps, OverlapRule rule, KernelSeconds seconds) {
            this.trace = trace;
            this.overlaps = overlaps;
            this.rule = rule;
            this.seconds = seconds;
        }

        /** @param kernels in order of launch */
        One of(int[] kernels) {
            Slices slices = trace.slices();
            DeviceDetails details = trace.view(DeviceDetails.KEY);
            Map<Integer, LongList> byName = new LinkedHashMap<>();
            Map<Integer, Integer> example = new LinkedHashMap<>();
            double covered = 0;
            for (int kernel : kernels) {
                covered += seconds.covered(slices, kernel, partners(kernel));
                for (int k = 0; k < overlaps.count(kernel); k++) {
                    int partner = overlaps.partner(kernel, k);
                    byName.computeIfAbsent(slices.name(partner), n -> new LongList(4))
                            .add(slices.dur(partner));
                    example.putIfAbsent(slices.name(partner), partner);
                }
            }
            int[] names = new int[byName.size()];
            long[] streams = new long[names.length];
            long[] durations = new long[names.length];
            int i = 0;
            for (Map.Entry<Integer, LongList> entry : byName.entrySet()) {
                names[i] = entry.getKey();
                int row = details == null ? -1 : details.of(example.getOrDefault(entry.getKey(), 0));
                streams[i] = details == null || row < 0 ? -1 : details.stream(row);
                durations[i++] = mean(entry.getValue());
            }
            int[] sorted = kernels.clone();
            Arrays.sort(sorted);
            double busy = seconds.nanoseconds(slices, sorted, SubtreeActivity.busy(slices, sorted, 0, sorted.length));
            double share = names.length == 0 || busy == 0 ? Double.NaN : rule.whole() * covered / busy;
            return new One(names, streams, durations, rule.rounded(share));
        }

        private long mean(LongList durations) {
            double sum = 0;
            for (int i = 0; i < durations.size(); i++) {
                sum += durations.get(i);
            }
            return Math.round(rule.rounded(sum / durations.size() / NS_PER_US) * NS_PER_US);
        }

        private int[] partners(int kernel) {
            int[] partners = new int[overlaps.count(kernel)];
            Arrays.setAll(partners, k -> overlaps.partner(kernel, k));
            return partners;
        }
    }

    /** Collects what overlaps like operators. */
    static final class Collector {
        private final KernelPositions positions = new KernelPositions();
        private final DoubleList shares = new DoubleList(4);
        private int @Nullable [] names;

        void add(One one) {
            if (!one.isEmpty()) {
                names = names == null ? one.names : names;
                positions.add(one.names, one.streams, one.durations);
                shares.add(one.share);
            }
        }

        Overlapping summary(Trace trace) {
            List<String> found = new ArrayList<>();
            if (names != null) {
                Arrays.stream(names).forEach(n -> found.add(trace.strings().get(n)));
            }
            return new Overlapping(
                    names == null ? null : found,
                    positions.positions(trace, KernelSeconds.EXACT),
                    RealDistribution.of(shares));
        }
    }
}
