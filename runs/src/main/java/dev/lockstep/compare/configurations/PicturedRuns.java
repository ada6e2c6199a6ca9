// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.CallKey;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.ComparedRuns.Calls;
import dev.lockstep.report.ComparedRuns.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The figures of a comparison as pictures take them. */
final class PicturedRuns {
    private static final int METRICS = 4;
    private static final double BYTES_PER_GB = 1e9;

    private PicturedRuns() {}

    static ComparedRuns of(List<String> labels, TimelineComparison timelines, CollectiveComparison collectives) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int run = 0; run < labels.size(); run++) {
            ranks.addAll(timelines.ranks(run));
        }
        List<Times> times = new ArrayList<>();
        for (String type : timelines.types()) {
            times.add(times(type, labels.size(), ranks, timelines));
        }
        List<Calls> calls = new ArrayList<>();
        for (CallKey key : collectives.keys()) {
            calls.add(calls(key, labels.size(), collectives));
        }
        return new ComparedRuns(labels, times, calls);
    }

    private static Times times(String type, int runs, SortedSet<Integer> ranks, TimelineComparison timelines) {
        double[] ms = new double[runs];
        double[] change = new double[runs];
        double[][] rankMs = new double[runs][];
        double[][] rankChange = new double[runs][ranks.size()];
        for (int run = 0; run < runs; run++) {
            ms[run] = timelines.average(run, type);
            change[run] =
                    run == 0 ? Double.NaN : timelines.row(run, type).change().percent();
            rankMs[run] = timelines.times(run, type, ranks);
            for (int i = 0; i < ranks.size(); i++) {
                double base = rankMs[0][i];
                rankChange[run][i] = run == 0 || base == 0 ? Double.NaN : 100 * (rankMs[run][i] - base) / base;
            }
        }
        int[] numbers = ranks.stream().mapToInt(Integer::intValue).toArray();
        return new Times(type, type, ms, change, numbers, rankMs, rankChange);
    }

    private static Calls calls(CallKey key, int runs, CollectiveComparison collectives) {
        double[][] values = new double[METRICS][runs];
        double[][] changes = new double[METRICS][runs];
        for (int m = 0; m < METRICS; m++) {
            Arrays.fill(changes[m], Double.NaN);
        }
        for (int run = 0; run < runs; run++) {
            CallSample sample = collectives.samples(run).get(key);
            double[] own = figures(sample);
            for (int m = 0; m < METRICS; m++) {
                values[m][run] = own[m];
                double base = values[m][0];
                changes[m][run] = run == 0 || base == 0 ? Double.NaN : 100 * (own[m] - base) / base;
            }
        }
        String what = key.dtype() + (key.group().isEmpty() ? "" : ", group " + key.group() + members(key));
        return new Calls(
                key.name(), what, key.inElements() < 0 ? "" : Long.toString(key.inElements()), values, changes);
    }

    private static String members(CallKey key) {
        return key.groupRanks().isEmpty() || key.groupRanks().length() > 16 ? "" : " " + key.groupRanks();
    }

    private static double[] figures(@Nullable CallSample sample) {
        return sample == null
                ? new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN}
                : new double[] {
                    sample.mean(),
                    sample.algorithmBandwidth() / BYTES_PER_GB,
                    sample.busBandwidth() / BYTES_PER_GB,
                    sample.totalMs()
                };
    }
}
