// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.CollectiveInstance;
import dev.lockstep.compare.CollectiveSum;
import dev.lockstep.compare.RunCollectives;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collectives of a run by key, from its instances, or where there are none from what sums them up. Bandwidths are computed
 * anew from sizes and latencies: reports differ in what they call a gigabyte.
 */
final class CallSamples {
    private CallSamples() {}

    static SortedMap<CallKey, CallSample> of(RunCollectives collectives) {
        SortedMap<CallKey, CallSample> samples = new TreeMap<>(CallKey.ORDER);
        for (RunCollectives.Family family : collectives.families()) {
            for (CollectiveInstance one : family.instances()) {
                sample(samples, one.key()).add(one.latency(), one.skew(), one.bytes(), one.busFactor());
            }
            if (family.instances().isEmpty()) {
                family.sums().forEach(sum -> add(samples, sum));
            }
        }
        return samples;
    }

    /** Names of collectives whose kernels are listed, but whose latencies no sheet knows. */
    static SortedSet<String> withoutLatency(RunCollectives collectives, Set<CallKey> known) {
        SortedSet<String> names = new TreeSet<>(collectives.kernels());
        known.forEach(key -> names.remove(key.name()));
        return names;
    }

    private static void add(SortedMap<CallKey, CallSample> samples, CollectiveSum sum) {
        double latency = sum.latency().mean();
        if (sum.count() > 0 && !Double.isNaN(latency)) {
            sample(samples, sum.key())
                    .sum((long) sum.count(), latency, sum.startSkew().mean(), sum.bytes(), sum.busFactor());
        }
    }

    private static CallSample sample(SortedMap<CallKey, CallSample> samples, CallKey key) {
        return samples.computeIfAbsent(key, k -> new CallSample());
    }
}
