// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.TraceRecipe.Communication;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Several runs that differ in the settings of the collective library only.
 *
 * @param base what the runs have in common
 * @param style how their directories are named
 * @param settings one per run, distinct
 */
public record SweepRecipe(TraceRecipe base, Style style, List<Communication> settings) {

    /** How a run's directory is named after its settings. */
    public enum Style {
        /** {@code <T>thread/nccl_<C>channels}. */
        THREADS_AND_CHANNELS,
        /** {@code <C>cu_<T>threads}. */
        CONFIGURATIONS;

        String directory(Communication setting) {
            return switch (this) {
                case THREADS_AND_CHANNELS -> setting.threads() + "thread/nccl_" + setting.channels() + "channels";
                case CONFIGURATIONS -> setting.channels() + "cu_" + setting.threads() + "threads";
            };
        }
    }

    public SweepRecipe {
        settings = List.copyOf(new LinkedHashSet<>(settings));
        if (settings.isEmpty()) {
            throw new IllegalArgumentException("a sweep needs at least one setting");
        }
    }

    /** Every number of threads with every number of channels. */
    public static SweepRecipe grid(TraceRecipe base, List<Integer> threads, List<Integer> channels) {
        List<Communication> settings = new ArrayList<>();
        for (int thread : threads) {
            for (int channel : channels) {
                settings.add(new Communication(thread, channel));
            }
        }
        return new SweepRecipe(base, Style.THREADS_AND_CHANNELS, settings);
    }

    /** Chosen pairs of compute units and threads. */
    public static SweepRecipe comparison(TraceRecipe base, List<Communication> settings) {
        return new SweepRecipe(base, Style.CONFIGURATIONS, settings);
    }

    TraceRecipe recipe(Communication setting) {
        return base.withCommunication(setting.threads(), setting.channels());
    }
}
