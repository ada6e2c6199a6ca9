// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.output.PageFigures.Busy;
import dev.lockstep.aiu.output.PageFigures.Utilization;
import dev.lockstep.aiu.output.PageTables.ActivityRow;
import dev.lockstep.aiu.output.PageTables.CategoryRow;
import dev.lockstep.aiu.output.PageTables.KernelRow;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.Rows;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Link;
import dev.lockstep.report.Section.LinksSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.HtmlWriter;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The page beside a result: kernels and categories as the tables have them, time by class, utilisation, power, and
 * bandwidth of transfers and collectives.
 */
public final class AiuPage {
    private static final int POINTS = 600;
    private static final double US_PER_MS = 1000;

    private final String target;
    private final Output output;
    private final PageFigures figures;
    private final PageTables tables;
    private final List<Section> sections = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    /** @param target the result as the user named it */
    public AiuPage(String target, Output output, PageFigures figures, PageTables tables) {
        this.tables = tables;
        this.target = target;
        this.output = output;
        this.figures = figures;
    }

    /** Writes the page; tables that were written before are on it. */
    public void write() throws IOException {
        String page = SideFiles.stem(target) + ".html";
        new HtmlWriter().write(report(), output.file(Path.of(page)), CellStyle.PLAIN);
    }

    /** What is on the page. */
    Report report() {
        link(target, "The trace");
        categories();
        link(SideFiles.name(target, "categories_cycles", "csv"), "The same in cycles");
        classes();
        utilization();
        kernels();
        power();
        bandwidth();
        sections.add(new LinksSection("Files", links));
        return new Report("AIU trace", name(target), sections);
    }

    private static String name(String target) {
        return target.substring(target.lastIndexOf('/') + 1);
    }

    /** Leads to a file, if it is written. */
    private void link(String file, String doc) {
        if (output.staged(Path.of(file)) != null) {
            links.add(new Link(name(file), name(file), doc));
        }
    }

    private static ColumnSpec us(String header, String doc) {
        return ColumnSpec.real(header, Unit.MICROSECONDS, Unit.MICROSECONDS, doc);
    }

    private static ColumnSpec number(String header, String doc) {
        return ColumnSpec.real(header, Unit.NONE, Unit.NONE, doc);
    }

    private void categories() {
        link(SideFiles.name(target, "categories", "csv"), "Time of kernels by category");
        List<CategoryRow> rows = tables.categories;
        if (rows.isEmpty()) {
            sections.add(new NotApplicable("categories", "no compiler log was given, or no kernel is in its tables"));
            return;
        }
        Table table = new Fields<CategoryRow>()
                .add(ColumnSpec.id("Pid", "Rank."), CategoryRow::pid)
                .add(ColumnSpec.text("Phase", "TTFT, ITL, or UNKN where the log does not say."), CategoryRow::phase)
                .add(
                        ColumnSpec.text("Category", "Category of the compiler; Total is all of them."),
                        r -> r.category().strip())
                .add(us("Kernel_Time", "Time of the kernels."), CategoryRow::us)
                .add(number("Frac_Time", "Its share of the total."), CategoryRow::share)
                .add(ColumnSpec.count("Calls", "Kernels."), CategoryRow::calls)
                .add(us("Ideal_Time", "Time at the full rate of the arrays."), CategoryRow::idealUs)
                .add(ColumnSpec.count("Ideal_Cyc", "The same in cycles of the core."), CategoryRow::idealCycles)
                .add(number("Frac_Ideal", "Its share of the total."), CategoryRow::idealShare)
                .add(number("PT_Util", "Ideal time over time."), CategoryRow::utilization)
                .table("categories", "Categories", rows);
        sections.add(new ChartSection(categoryBars(rows)));
        sections.add(new TableSection(table));
    }

    private static Chart categoryBars(List<CategoryRow> rows) {
        TreeSet<String> names = new TreeSet<>();
        Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
        for (CategoryRow row : rows) {
            String category = row.category().strip();
            if (!category.equals("Total") && row.us() > 0) {
                names.add(category);
                bars.computeIfAbsent(label(row), l -> new LinkedHashMap<>())
                        .merge(category, row.us() / US_PER_MS, Double::sum);
            }
        }
        return bars(
                "Time of kernels by category",
                "What kernels are for, as the compiler says.",
                names,
                bars,
                rows("categories", rows, AiuPage::label));
    }

    /** For each label its rows of a sheet. */
    private static <T> Function<String, Evidence> rows(String sheet, List<T> rows, Function<T, String> label) {
        Map<String, List<Integer>> lines = new HashMap<>();
        for (int line = 0; line < rows.size(); line++) {
            lines.computeIfAbsent(label.apply(rows.get(line)), l -> new ArrayList<>())
                    .add(line);
        }
        return labelled -> new Rows(sheet, lines.getOrDefault(labelled, List.of()));
    }

    private static String label(CategoryRow row) {
        return "rank " + row.pid() + (row.phase().equals("UNKN") ? "" : " " + row.phase());
    }

    private static String label(long pid) {
        return "rank " + pid;
    }

    private static Chart bars(
            String title,
            String doc,
            Set<String> names,
            Map<String, Map<String, Double>> values,
            Function<String, Evidence> leads) {
        List<Chart.Bar> bars = new ArrayList<>();
        values.forEach((label, byName) -> bars.add(new Chart.Bar(
                label,
                names.stream().mapToDouble(n -> byName.getOrDefault(n, 0.0)).toArray(),
                leads.apply(label))));
        return new Chart.StackedBars(title, doc, "ms", List.copyOf(names), bars);
    }

    private record ClassRow(long pid, String name, Busy busy) {}

    private void classes() {
        List<ClassRow> rows = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>();
        Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
        figures.classes.forEach((pid, byClass) -> byClass.forEach((name, busy) -> {
            rows.add(new ClassRow(pid, name, busy));
            names.add(name);
            bars.computeIfAbsent(label(pid), l -> new LinkedHashMap<>()).put(name, busy.us / US_PER_MS);
        }));
        if (rows.isEmpty()) {
            sections.add(new NotApplicable("classes", "nothing ran on a device"));
            return;
        }
        String doc = "Summed over events, which may overlap each other.";
        sections.add(new ChartSection(
                bars("Time on devices by class", doc, names, bars, rows("classes", rows, row -> label(row.pid)))));
        sections.add(new TableSection(new Fields<ClassRow>()
                .add(ColumnSpec.id("Pid", "Rank."), ClassRow::pid)
                .add(ColumnSpec.text("Class", "What the events are, as args.class says."), ClassRow::name)
                .add(ColumnSpec.count("Events", "Events."), r -> r.busy.events)
                .add(us("Time", doc), r -> r.busy.us)
                .table("classes", "Classes", rows)));
    }

    private void utilization() {
        if (!figures.isUtilized()) {
            sections.add(new NotApplicable("utilization", "no kernel has ideal cycles"));
            return;
        }
        List<Map.Entry<Long, Utilization>> rows = List.copyOf(figures.utilization.entrySet());
        sections.add(new TableSection(new Fields<Map.Entry<Long, Utilization>>()
                .add(ColumnSpec.id("Pid", "Rank."), Map.Entry::getKey)
                .add(
                        ColumnSpec.percent("avg_mm_util", "Utilisation of the arrays by the kernels that use them."),
                        r -> Rounding.of(r.getValue().mean(), 3))
                .add(ColumnSpec.percent("avg_util", "The same over all kernels."), r -> {
                    Utilization u = r.getValue();
                    return Rounding.of(u.mean() * (u.multiplying / (u.multiplying + u.other)), 3);
                })
                .add(us("t_mm", "Time of kernels that use the arrays."), r -> r.getValue().multiplying)
                .add(us("t_sf", "Time of all others."), r -> r.getValue().other)
                .table("utilization", "Utilisation of the arrays (PT)", rows)));
    }

    private void kernels() {
        link(SideFiles.name(target, "active", "csv"), "How much of the time kernels ran");
        if (!tables.activity.isEmpty()) {
            sections.add(new TableSection(new Fields<ActivityRow>()
                    .add(ColumnSpec.id("pid", "Rank."), ActivityRow::pid)
                    .add(us("Total Kernel Time", "Time of all kernels."), ActivityRow::us)
                    .add(us("Elapsed Time", "From the first kernel to the last."), ActivityRow::elapsedUs)
                    .add(ColumnSpec.percent("Active percentage", "Kernels over elapsed."), ActivityRow::percent)
                    .table("active", "Activity of devices", tables.activity)));
        }
        link(SideFiles.name(target, "summary", "csv"), "Kernels by name");
        link(SideFiles.name(target, "ts_analysis", "csv"), "Steps of kernels in cycles");
        List<KernelRow> summary = tables.kernels;
        if (summary.isEmpty()) {
            sections.add(new NotApplicable("summary", "no kernel ran"));
            return;
        }
        sections.add(new TableSection(new Fields<KernelRow>()
                .add(ColumnSpec.id("pid", "Rank."), KernelRow::pid)
                .add(ColumnSpec.text("Name", "Kernels; [N] stands for their numbers."), KernelRow::name)
                .add(ColumnSpec.percent("Time", "Share of the rank's kernel time."), KernelRow::share)
                .add(us("Total Time", "Their time."), r -> r.durations().total())
                .add(ColumnSpec.count("Calls", "Kernels."), r ->
                        (long) r.durations().count())
                .add(us("Mean", "Mean."), r -> r.durations().mean())
                .add(us("Median", "Median."), r -> r.durations().median())
                .add(us("Min", "Shortest."), r -> r.durations().min())
                .add(us("Max", "Longest."), r -> r.durations().max())
                .add(
                        us("StDev", "Standard deviation of a sample."),
                        r -> r.durations().stdev())
                .table("summary", "Kernels", summary)));
    }

    private void power() {
        if (figures.power.isEmpty()) {
            sections.add(new NotApplicable("power", "the trace has no power"));
            return;
        }
        double origin = figures.power.values().stream()
                .mapToDouble(SampleSeries::first)
                .min()
                .orElse(0);
        List<Chart.Points> lines = new ArrayList<>();
        figures.power.forEach((pid, samples) -> {
            double[][] line = samples.steps(origin, POINTS);
            double[] x = Arrays.stream(line[0]).map(us -> us / US_PER_MS).toArray();
            double[] weight = new double[x.length];
            Arrays.fill(weight, 1);
            List<String> labels = new ArrayList<>();
            for (int i = 0; i < x.length; i++) {
                labels.add("rank " + pid + ": " + Rounding.of(line[1][i], 3) + " W");
            }
            Evidence row = new Rows("power", List.of(lines.size()));
            lines.add(
                    new Chart.Points(label(pid), true, x, line[1], weight, labels, Collections.nCopies(x.length, row)));
        });
        if (figures.power.values().stream().allMatch(samples -> samples.max() == 0)) {
            sections.add(new NotApplicable("power", "all values are 0 W; see the warnings about bad power events"));
            return;
        }
        sections.add(new ChartSection(new Chart.Scatter(
                "Power over time",
                "Each value holds until the next one.",
                new Chart.Axis("time (ms)", false),
                new Chart.Axis("power (W)", false),
                lines,
                List.of())));
        sections.add(new TableSection(new Fields<Map.Entry<Long, SampleSeries>>()
                .add(ColumnSpec.id("Pid", "Rank."), Map.Entry::getKey)
                .add(
                        ColumnSpec.count("Samples", "Values of the counter."),
                        r -> r.getValue().size())
                .add(watts("Mean", "Mean over time."), r -> r.getValue().meanOverTime())
                .add(watts("Max", "Greatest value."), r -> r.getValue().max())
                .table("power", "Power", List.copyOf(figures.power.entrySet()))));
    }

    private static ColumnSpec watts(String header, String doc) {
        return ColumnSpec.real(header, Unit.WATTS, Unit.WATTS, doc);
    }

    private void bandwidth() {
        List<Map.Entry<String, SampleSeries>> rows = List.copyOf(figures.bandwidth.entrySet());
        if (rows.isEmpty()) {
            sections.add(new NotApplicable("bandwidth", "no transfer or collective with a size was found"));
            return;
        }
        sections.add(new TableSection(new Fields<Map.Entry<String, SampleSeries>>()
                .add(ColumnSpec.text("Counter", "Counter of the trace."), Map.Entry::getKey)
                .add(
                        ColumnSpec.count("Values", "Values above 0."),
                        r -> r.getValue().positive())
                .add(rate("Mean", "Mean of them."), r -> r.getValue().meanOfPositive())
                .add(rate("Max", "Greatest."), r -> r.getValue().max())
                .table("bandwidth", "Bandwidth of transfers and collectives", rows)));
    }

    private static ColumnSpec rate(String header, String doc) {
        return number(header, doc + " GB/s; of BW DmaI and BW DmaO as the counter has it.");
    }
}
