// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.compare.Lateness;
import dev.lockstep.publish.page.Page;
import dev.lockstep.publish.page.PageItem;
import dev.lockstep.publish.page.PageItem.Column;
import dev.lockstep.runs.SweepReports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The page that puts two sweeps side by side. */
public final class SweepPage {
    private static final String TITLE = "GEMM Kernel Variance - Sweep Comparison";

    private final SweepSide first;
    private final SweepSide second;

    private SweepPage(SweepSide first, SweepSide second) {
        this.first = first;
        this.second = second;
    }

    /** Pictures and the numbers behind them. */
    public static Page of(SweepSide first, SweepSide second) {
        SweepPage page = new SweepPage(first, second);
        SweepTables tables = new SweepTables(first, second);
        List<Page.Section> sections = new ArrayList<>();
        sections.add(new Page.Section(
                "Sweep Information", List.of(tables.information(), tables.bestAndWorst(), tables.configurations())));
        page.waiting().ifPresent(sections::add);
        List<ToLongFunction<GemmRange>> keys = List.of(GemmRange::threads, GemmRange::channels, GemmRange::rank);
        List<String> heads = List.of("Threads", "Channels", "Rank");
        for (int i = 0; i < VarianceFigures.FILES.size(); i++) {
            List<PageItem> items = new ArrayList<>(List.of(page.pair(i)));
            if (i < keys.size()) {
                items.add(tables.groups(heads.get(i), keys.get(i)));
            }
            sections.add(new Page.Section(VarianceFigures.HEADINGS.get(i), items));
        }
        sections.add(page.files(false));
        String lead = first.label() + " beside " + second.label()
                + ". All values are ranges: the longest less the shortest time of one GEMM on one rank, in"
                + " microseconds.";
        return new Page(TITLE, lead, sections);
    }

    /** The sections of AORTA's page, which has no numbers and prints the label where it says path. */
    public static Page likeAorta(SweepSide first, SweepSide second) {
        SweepPage page = new SweepPage(first, second);
        List<Page.Section> sections = new ArrayList<>();
        sections.add(new Page.Section(
                "Sweep Information",
                List.of(new PageItem.Grid(
                        "",
                        "",
                        List.of(Column.text("Sweep"), Column.text("Label"), Column.text("Path")),
                        List.of(
                                List.of("Sweep 1", first.label(), first.label()),
                                List.of("Sweep 2", second.label(), second.label()))))));
        for (int i = 0; i < VarianceFigures.FILES.size(); i++) {
            sections.add(new Page.Section(VarianceFigures.HEADINGS.get(i), List.of(page.pair(i))));
        }
        sections.add(page.files(true));
        return new Page(TITLE, "", sections);
    }

    /** What both sweeps have, with the part that late ranks have in it; nothing where that is not known. */
    private Optional<Page.Section> waiting() {
        List<PageItem> items = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        Set<String> labels = new TreeSet<>(first.lateness().keySet());
        labels.addAll(second.lateness().keySet());
        for (String label : labels) {
            List<Lateness.Side> pair = List.of(side(first, label), side(second, label));
            double total = total(second, label) - total(first, label);
            String text = Lateness.words(
                    pair.getLast(),
                    pair.getFirst(),
                    pair.getLast().exposedMs() - pair.getFirst().exposedMs(),
                    total);
            if (!text.isEmpty()) {
                items.add(new PageItem.Text(label + " in " + second.label() + " beside " + first.label()
                        + (Double.isNaN(total)
                                ? ":"
                                : String.format(Locale.ROOT, " takes %+.3f ms, mean over ranks.", total))
                        + text));
            }
            for (SweepSide sweep : List.of(first, second)) {
                Lateness.Side one = side(sweep, label);
                if (one.lateness().isKnown()) {
                    rows.add(List.of(
                            label,
                            sweep.label(),
                            number(total(sweep, label)),
                            number(one.exposedMs()),
                            number(one.waitMs()),
                            number(one.exposedMs() - one.waitMs()),
                            one.lateness().late().stream().map(String::valueOf).collect(Collectors.joining(", ")),
                            number(one.lateMs())));
                }
            }
        }
        items.add(new PageItem.Grid(
                "In numbers",
                "A slow rank is no property of a setting. Times are means over ranks; exposed communication"
                        + " is that which nothing hid.",
                List.of(
                        Column.text("Configuration"),
                        Column.text("Sweep"),
                        Column.number("total time, ms"),
                        Column.number("exposed communication, ms"),
                        Column.number("waiting for the last rank, ms"),
                        Column.number("transfer, ms"),
                        Column.text("late ranks"),
                        Column.number("late ranks cost, ms")),
                rows));
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Page.Section("Waiting and Transfer", items));
    }

    private static Lateness.Side side(SweepSide sweep, String label) {
        return new Lateness.Side(sweep.label(), sweep.lateness().getOrDefault(label, Lateness.UNKNOWN), 1);
    }

    private static double total(SweepSide sweep, String label) {
        return sweep.totals().getOrDefault(label, Double.NaN);
    }

    private static String number(double ms) {
        return Double.isNaN(ms) ? "" : String.format(Locale.ROOT, "%.3f", ms);
    }

    private PageItem pair(int place) {
        return new PageItem.Pair(first.label(), image(first, place), second.label(), image(second, place));
    }

    private static PageItem.Image image(SweepSide side, int place) {
        String name = VarianceFigures.FILES.get(place);
        byte[] png = side.pictures().get(name);
        return new PageItem.Image(
                "",
                png == null ? "" : VarianceFigures.HEADINGS.get(place) + ", " + side.label(),
                png,
                name + " is missing, and there is no list of GEMMs from which to draw it.");
    }

    private Page.Section files(boolean all) {
        List<List<String>> rows = new ArrayList<>();
        for (SweepSide side : List.of(first, second)) {
            SweepReports reports = side.reports();
            for (Path file : List.of(reports.variance(), reports.varianceWithTimes(), reports.varianceWithOverlap())) {
                boolean there = Files.isRegularFile(file);
                if (all || there) {
                    rows.add(List.of(side.label(), file.toString(), there ? "" : "missing"));
                }
            }
            for (String problem : side.problems()) {
                rows.add(List.of(side.label(), problem, "not used"));
            }
        }
        List<Column> columns = List.of(Column.text("Sweep"), Column.text("File"), Column.text("Remark"));
        return new Page.Section("Data Files Information", List.of(new PageItem.Grid("", "", columns, rows)));
    }
}
