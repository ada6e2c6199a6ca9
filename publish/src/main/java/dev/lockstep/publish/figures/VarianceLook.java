// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.plot.Colour;
import dev.lockstep.publish.plot.Palette;
import java.util.List;
import java.util.function.IntFunction;

/**
 * How the pictures of {@link VarianceFigures} are worded and coloured.
 *
 * @param titles of the five pictures: by threads, by channels, by rank, distributions, threads by channels
 * @param value the axis of values
 * @param mean the axis of means
 * @param threads label of a thread count, with {@code %d} for the number; likewise the others
 * @param shortThreads likewise where room is scarce
 * @param threadColours colour of a box by its place; likewise the others
 * @param violins colours of the three panels of distributions
 * @param fixedChannels the only channels of the last picture; all that there are if empty
 * @param gap what stands there for a combination that was not run
 * @param explained whether pictures say how to read them, how many values there are and what was left out, show single
 *     values, and use a logarithmic axis where values differ a hundredfold
 */
public record VarianceLook(
        List<String> titles,
        String value,
        String mean,
        String threads,
        String channels,
        String ranks,
        String shortThreads,
        String shortChannels,
        String shortRanks,
        IntFunction<Colour> threadColours,
        IntFunction<Colour> channelColours,
        IntFunction<Colour> rankColours,
        List<Colour> violins,
        List<Long> fixedChannels,
        double gap,
        boolean explained) {
    private static final double PALE = 0.45;

    /** Says what it shows: ranges, not variances. */
    public static final VarianceLook RIGHT = new VarianceLook(
            List.of(
                    "Range of GEMM kernel times by thread count",
                    "Range of GEMM kernel times by channel count",
                    "Range of GEMM kernel times by rank",
                    "Distribution of the range of GEMM kernel times",
                    "Range of GEMM kernel times: threads by channels"),
            "Range (max − min), µs",
            "Mean range (max − min), µs",
            "%d threads",
            "%d",
            "%d",
            "%d",
            "%d",
            "%d",
            i -> Palette.series(0).faded(PALE),
            i -> Palette.series(1).faded(PALE),
            i -> Palette.series(2).faded(PALE),
            List.of(
                    Palette.series(0).faded(PALE),
                    Palette.series(1).faded(PALE),
                    Palette.series(2).faded(PALE)),
            List.of(),
            Double.NaN,
            true);

    private static final int[] THREADS = {0xadd8e6, 0xf08080};
    private static final int[] CHANNELS = {0xe6f2ff, 0x99ccff, 0x4da6ff, 0x0073e6};

    /** Corners of the colour map viridis. */
    private static final int[] VIRIDIS = {0x440154, 0x414487, 0x2a788e, 0x22a884, 0x7ad151, 0xfde725};

    /** The words and colours of AORTA's plot_gemm_variance.py; four channel counts only, and zero for what was not run. */
    public static final VarianceLook AORTA = new VarianceLook(
            List.of(
                    "GEMM Kernel Time Variance by Thread Count",
                    "GEMM Kernel Time Variance by Channel Count",
                    "GEMM Kernel Time Variance by Rank",
                    "GEMM Kernel Time Variance Distribution",
                    "Thread-Channel Interaction: Mean Variance"),
            "Time Difference (us)",
            "Mean Time Difference (us)",
            "%d threads",
            "%dch",
            "Rank %d",
            "%dt",
            "%dch",
            "R%d",
            i -> Colour.of(THREADS[i % THREADS.length]),
            i -> Colour.of(CHANNELS[i % CHANNELS.length]),
            i -> Colour.of(VIRIDIS[i % VIRIDIS.length]),
            List.of(new Colour(0xadd8e6, 0.7), new Colour(0xf08080, 0.7), new Colour(0x90ee90, 0.7)),
            List.of(28L, 42L, 56L, 70L),
            0,
            false);

    public VarianceLook {
        titles = List.copyOf(titles);
        violins = List.copyOf(violins);
        fixedChannels = List.copyOf(fixedChannels);
    }
}
