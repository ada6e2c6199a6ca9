// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.plot.Colour;
import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Palette;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Picture;
import dev.lockstep.publish.plot.Sample;
import dev.lockstep.publish.plot.Series;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** The five pictures of how much GEMMs vary over a sweep. */
public final class VarianceFigures {
    /** Their files, in the order in which pages show them. */
    public static final List<String> FILES = List.of(
            "variance_by_threads_boxplot.png",
            "variance_by_channels_boxplot.png",
            "variance_by_ranks_boxplot.png",
            "variance_violin_combined.png",
            "variance_thread_channel_interaction.png");

    /** Headings of pages, in the order of the files. */
    public static final List<String> HEADINGS = List.of(
            "Variance by Thread Count",
            "Variance by Channel Count",
            "Variance by Rank",
            "Variance Distribution (Violin Plots)",
            "Thread-Channel Interaction");

    /** More for wider pictures, so that their letters can still be read when a page shrinks them. */
    private static final List<Integer> DPI = List.of(300, 330, 380, 480, 340);

    private static final double FAR = 100;

    private final VarianceFile file;
    private final VarianceLook look;
    private final List<ValueGroup> threads;
    private final List<ValueGroup> channels;
    private final List<ValueGroup> ranks;
    private final boolean logarithmic;

    private VarianceFigures(VarianceFile file, VarianceLook look) {
        this.file = file;
        this.look = look;
        this.threads = ValueGroup.by(file.rows(), GemmRange::threads);
        this.channels = ValueGroup.by(file.rows(), GemmRange::channels);
        this.ranks = ValueGroup.by(file.rows(), GemmRange::rank);
        double[] all =
                file.rows().stream().mapToDouble(GemmRange::rangeUs).sorted().toArray();
        this.logarithmic = look.explained()
                && all.length > 0
                && all[0] > 0
                && all[all.length - 1] > FAR * Quantiles.upperMedian(all, 0);
    }

    /** The figures; without rows they say that there is nothing to show. */
    public static List<Figure> of(VarianceFile file, VarianceLook look) {
        VarianceFigures figures = new VarianceFigures(file, look);
        return List.of(
                figures.boxes(
                        0, 2895, new Axis("Threads per block", figures.threads, look.threads()), look.threadColours()),
                figures.boxes(1, 3495, new Axis("Channels", figures.channels, look.channels()), look.channelColours()),
                figures.boxes(2, 4095, new Axis("Rank", figures.ranks, look.ranks()), look.rankColours()),
                figures.violins(),
                figures.interaction());
    }

    /**
     * Groups along the axis of places.
     *
     * @param name of the axis
     * @param label format of the labels, for a group's key
     */
    private record Axis(String name, List<ValueGroup> groups, String label) {}

    private Figure boxes(int place, int width, Axis x, IntFunction<Colour> fill) {
        String axis = look.explained()
                ? x.name
                : List.of("Thread Configuration", "Channel Configuration", "Rank")
                        .get(place);
        Panel panel = new Panel("", axis, value(), new Mark.Boxes(samples(x, fill), look.explained()), logarithmic);
        String note =
                "Box: quartiles; line: median; dashed: mean; whiskers: up to 1.5 times the box's height; dark points:"
                        + " beyond. "
                        + counts(x.groups) + skipped();
        return figure(place, width, 1698, note, List.of(panel));
    }

    private Figure violins() {
        List<Panel> panels = List.of(
                violin(
                        "By thread count",
                        "By Thread Count",
                        new Axis("Threads per block", threads, look.shortThreads()),
                        0),
                violin("By channel count", "By Channel Count", new Axis("Channels", channels, look.shortChannels()), 1),
                violin("By rank", "By Rank", new Axis("Rank", ranks, look.shortRanks()), 2));
        String note = "Width: how frequent values are; line: median; dashed: mean." + skipped();
        return figure(3, 5894, 1814, note, panels);
    }

    private Panel violin(String title, String other, Axis x, int place) {
        Colour fill = look.violins().get(place);
        return new Panel(
                look.explained() ? title : other,
                look.explained()
                        ? x.name
                        : List.of("Threads", "Channels", "Rank").get(place),
                look.explained() ? "Range, µs" + (logarithmic ? ", log." : "") : look.value(),
                new Mark.Violins(samples(x, i -> fill)),
                logarithmic);
    }

    private Figure interaction() {
        List<Long> at = look.fixedChannels().isEmpty()
                ? channels.stream().map(ValueGroup::key).toList()
                : look.fixedChannels();
        List<Series> lines = new ArrayList<>();
        for (ValueGroup group : threads) {
            double[] means = at.stream().mapToDouble(c -> mean(group.key(), c)).toArray();
            lines.add(new Series(group.key() + " threads", means, Palette.series(lines.size())));
        }
        Panel panel = new Panel(
                "",
                look.explained() ? "Channels" : "Channel Count",
                look.mean(),
                new Mark.Lines(at.stream().map(String::valueOf).toList(), lines));
        String note =
                "Each point is the mean over the GEMMs and ranks of one configuration. A combination that was not run"
                        + " is a gap."
                        + skipped();
        return figure(4, 3496, 1998, note, List.of(panel));
    }

    private double mean(long threadCount, long channelCount) {
        return file.rows().stream()
                .filter(row -> row.threads() == threadCount && row.channels() == channelCount)
                .mapToDouble(GemmRange::rangeUs)
                .average()
                .orElse(look.gap());
    }

    private List<Sample> samples(Axis x, IntFunction<Colour> fill) {
        List<Sample> samples = new ArrayList<>();
        for (ValueGroup group : x.groups) {
            String note = look.explained() ? "n = " + group.count() : "";
            String name = String.format(Locale.ROOT, x.label, group.key());
            samples.add(new Sample(name, note, group.values(), fill.apply(samples.size())));
        }
        return samples;
    }

    /** All panels side by side. */
    private Figure figure(int place, int width, int height, String note, List<Panel> panels) {
        String subtitle =
                "Each value is the longest less the shortest time of one GEMM on one rank: a range, not a variance.";
        Picture picture = new Picture(
                look.titles().get(place),
                look.explained() ? subtitle : "",
                look.explained() ? note : "",
                width,
                height,
                DPI.get(place),
                panels.size(),
                panels);
        return new Figure(FILES.get(place), HEADINGS.get(place), subtitle, picture);
    }

    private String value() {
        return look.value() + (logarithmic ? ", logarithmic" : "");
    }

    private static String counts(List<ValueGroup> groups) {
        int[] counts = groups.stream().mapToInt(ValueGroup::count).sorted().toArray();
        if (counts.length == 0) {
            return "There are no values.";
        }
        int most = counts[counts.length - 1];
        return "n = " + (counts[0] == most ? most + " each." : counts[0] + " to " + most + ".");
    }

    private String skipped() {
        int rows = file.skipped();
        return rows == 0
                ? ""
                : " " + rows + (rows == 1 ? " row has" : " rows have") + " no usable number and "
                        + (rows == 1 ? "is" : "are") + " left out.";
    }

    /** One line for each group of each dimension: what the pictures show, in numbers. */
    public static List<String> lines(VarianceFile file) {
        List<String> lines = new ArrayList<>();
        lines(lines, "threads", ValueGroup.by(file.rows(), GemmRange::threads));
        lines(lines, "channels", ValueGroup.by(file.rows(), GemmRange::channels));
        lines(lines, "rank", ValueGroup.by(file.rows(), GemmRange::rank));
        return lines;
    }

    private static void lines(List<String> lines, String dimension, List<ValueGroup> groups) {
        for (ValueGroup group : groups) {
            double most = Arrays.stream(group.values()).max().orElse(Double.NaN);
            lines.add(String.format(
                    Locale.ROOT,
                    "%-8s %6d: mean %.2f us, median %.2f us, max %.2f us, n = %d",
                    dimension,
                    group.key(),
                    group.mean(),
                    group.quantile(0.5),
                    most,
                    group.count()));
        }
    }
}
