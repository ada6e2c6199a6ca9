// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.Trend;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long kernels that compute take in each step, beside those at the same place of the other steps: the k-th of its name. Names that
 * steps run another number of times are left out.
 */
public final class KernelPace {
    /**
     * The pace of the kernels of a trace.
     *
     * @param rules definitions
     * @param annotation what marks steps, null to find what does
     */
    public record Key(AnalysisRules rules, @Nullable String annotation) implements Derived<KernelPace> {
        @Override
        public KernelPace derive(Trace trace, DerivedCache cache) {
            return new KernelPace(cache, this);
        }
    }

    private final Slices slices;
    private final int steps;
    private final LongIntMap names = new LongIntMap(64);
    private final double[] pace;
    private final int places;
    private final long kernels;

    private KernelPace(DerivedCache cache, Key key) {
        slices = cache.trace().slices();
        Steps found = cache.get(new Steps.Key(key.annotation));
        steps = found.steps().size();
        DeviceActivity activity = cache.get(key.rules.activity());
        LaunchLinks links = cache.get(new LaunchLinks.Key(key.rules.links()));
        int[] stepOf = new int[activity.size()];
        for (int i = 0; i < stepOf.length; i++) {
            int slice = activity.slice(i);
            boolean computes =
                    slices.kind(slice) == SliceKind.KERNEL && activity.classOf(slice) != KernelClass.COMMUNICATION;
            int launch = computes ? links.launchOf(slice) : -1;
            stepOf[i] = launch < 0 ? -1 : found.at(slices.ts(launch));
            if (stepOf[i] >= 0 && names.get(slices.name(slice)) < 0) {
                names.put(slices.name(slice), names.size());
            }
        }
        int[] count = new int[names.size() * steps];
        for (int i = 0; i < stepOf.length; i++) {
            if (stepOf[i] >= 0) {
                count[cell(activity.slice(i), stepOf[i])]++;
            }
        }
        int[] first = new int[names.size()];
        int all = 0;
        for (int name = 0; name < first.length; name++) {
            boolean alike = true;
            for (int step = 1; step < steps; step++) {
                alike &= count[name * steps + step] == count[name * steps];
            }
            first[name] = alike ? all : -1;
            all += alike ? count[name * steps] : 0;
        }
        places = all;
        double[][] durations = new double[steps][places];
        Arrays.fill(count, 0);
        for (int i = 0; i < stepOf.length; i++) {
            int name = stepOf[i] < 0 ? -1 : names.get(slices.name(activity.slice(i)));
            if (name >= 0 && first[name] >= 0) {
                int place = first[name] + count[name * steps + stepOf[i]]++;
                durations[stepOf[i]][place] = slices.dur(activity.slice(i));
            }
        }
        kernels = (long) places * steps;
        pace = paces(durations);
    }

    private int cell(int slice, int step) {
        return names.get(slices.name(slice)) * steps + step;
    }

    /** By step, the median of how long kernels take beside their mean over the steps, weighted by that mean. */
    private double[] paces(double[][] durations) {
        double[] mean = new double[places];
        for (int place = 0; place < places; place++) {
            for (double[] step : durations) {
                mean[place] += step[place] / steps;
            }
        }
        double[] paces = new double[steps];
        for (int step = 0; step < steps; step++) {
            double[] ratios = new double[places];
            for (int place = 0; place < places; place++) {
                ratios[place] = mean[place] == 0 ? 1 : durations[step][place] / mean[place];
            }
            paces[step] = Quantiles.weightedMedian(ratios, mean);
        }
        return paces;
    }

    /** By step, how many times as long its kernels take as kernels do over all steps; NaN where none are compared. */
    public double[] bySteps() {
        return pace.clone();
    }

    /** How many kernels are compared. */
    public long kernels() {
        return kernels;
    }

    /** The line through the steps. */
    public Trend trend() {
        return Trend.of(pace, 1);
    }

    /** How many times as long kernels take in the last step as in the first, by that line. */
    public double growth() {
        Trend trend = trend();
        double half = trend.rise() / 2;
        return (trend.mean() + half) / (trend.mean() - half);
    }
}
