// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.actions.Actions;
import dev.lockstep.actions.Answers;
import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.StackRule;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.comm.CallSummary;
import dev.lockstep.analyze.hardware.CounterSeries;
import dev.lockstep.analyze.hardware.KernelCounters;
import dev.lockstep.analyze.hardware.KernelOccupancy;
import dev.lockstep.analyze.hardware.OccupancySheets;
import dev.lockstep.analyze.memory.AllocationOwners;
import dev.lockstep.analyze.memory.MemoryCharts;
import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.analyze.time.DeviceTimeline;
import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.HostThreads;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleCauses;
import dev.lockstep.analyze.time.IdleGaps;
import dev.lockstep.analyze.time.IterationTimeline;
import dev.lockstep.analyze.time.KernelPace;
import dev.lockstep.analyze.time.LaunchDelays;
import dev.lockstep.analyze.time.StepParts;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.analyze.time.StreamTimeline;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.analyze.work.CopySummary;
import dev.lockstep.analyze.work.FamilySummary;
import dev.lockstep.analyze.work.HostAnnotations;
import dev.lockstep.analyze.work.HostFrames;
import dev.lockstep.analyze.work.HostOperators;
import dev.lockstep.analyze.work.HostSummary;
import dev.lockstep.analyze.work.KernelSummary;
import dev.lockstep.analyze.work.ModuleSummary;
import dev.lockstep.analyze.work.OpSummary;
import dev.lockstep.analyze.work.PerfSummary;
import dev.lockstep.analyze.work.RooflineChart;
import dev.lockstep.analyze.work.ShortKernels;
import dev.lockstep.analyze.work.WorkCoverage;
import dev.lockstep.analyze.work.XlaOperators;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.HostCollectives;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.Dependencies;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.AnswerSection;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Table;
import dev.lockstep.words.ShownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The report of one rank: runs the analyses in order, and puts what they say in words before what they say in numbers. */
public final class PerformanceReport {
    /** Sheets that stand before all others: what to do first, and why nothing was computed. */
    private static final Set<String> FIRST =
            Set.of("opportunities", TableNames.WHAT_IF, TableNames.CRITICAL_PATH_SUMMARY, TableNames.COMPUTE_GAPS);

    private static final String NO_PATH =
            "dependencies lead from the work of devices to what it waited for, and only the host was recorded";

    private final DerivedCache cache;
    private final AnalysisRules rules;
    private final WorkRules work;
    private final ReportOptions options;
    private final List<Section> sections = new ArrayList<>();
    private final List<ChartSection> memoryCharts = new ArrayList<>();
    private @Nullable ChartSection kernelChart;
    private @Nullable Chart occupancyChart;
    private List<ChartSection> moduleCharts = List.of();
    private List<ChartSection> counterCharts = List.of();
    private @Nullable ChartSection stepParts;
    private final @Nullable BaselineComparison comparison;
    private @Nullable Answer answer;

    private PerformanceReport(DerivedCache cache, ReportOptions options) {
        Trace trace = cache.trace();
        this.cache = cache;
        this.options = options;
        OpModels models = OpModels.standard().with(options.models().definitions());
        AnalysisRules plain = rules(options);
        this.rules = plain.withCategories(plain.categories().with(models));
        Device device = options.models().device() == null
                ? KnownDevices.of(trace.info())
                : options.models().device();
        this.work = WorkRules.standard(rules, models, device);
        Trace baseline = options.baseline();
        this.comparison = baseline == null ? null : new BaselineComparison(baseline, cache);
    }

    /** The report of this trace. */
    public static Report of(Trace trace, ReportOptions options) {
        return of(DerivedCache.believing(trace), options);
    }

    /** The report of this trace, of which others may have derived something already, or want to. */
    public static Report of(DerivedCache trace, ReportOptions options) {
        return isMemory(trace) ? memory(trace, options) : new PerformanceReport(trace, options).build().report;
    }

    /**
     * The report of a rank, and what the report of its run needs.
     *
     * @param report of the rank
     * @param figures from the same results
     */
    public record OfRank(Report report, RankFigures figures) {}

    /** As {@link #of(DerivedCache, ReportOptions)}, for a rank among others. */
    public static OfRank ofRank(DerivedCache trace, ReportOptions options) {
        if (isMemory(trace)) {
            return new OfRank(memory(trace, options), RankFigures.of(trace, options));
        }
        Built built = new PerformanceReport(trace, options).build();
        return new OfRank(built.report, built.figures.get());
    }

    /** The report, and what its run would need, which takes time to find. */
    private record Built(Report report, Supplier<RankFigures> figures) {}

    private static boolean isMemory(DerivedCache trace) {
        return MemoryReport.isAll(trace.trace());
    }

    private static Report memory(DerivedCache trace, ReportOptions options) {
        return MemoryReport.of(trace.trace(), new MemoryUse(options.times().stepAnnotation(), 1));
    }

    /** The definitions of the program itself, as far as these options need them. */
    public static AnalysisRules rules(ReportOptions options) {
        boolean frames = options.times().recompute()
                || options.operators().callStacks()
                || options.operators().module()
                || options.serving().captures() != null
                || options.serving().pseudoOps();
        return AnalysisRules.standard().withPython(frames);
    }

    private Built build() {
        Trace trace = cache.trace();
        GpuTimeline.Result sheet = add(new GpuTimeline(
                rules, options.times().microIdleNs(), options.times().recompute()));
        // Headlines and charts are about the whole span, whether or not the sheet tells recomputation apart.
        GpuTimeline.Result timeline = sheet.recompute() ? new GpuTimeline(rules, -1, false).run(cache) : sheet;
        StepTimeline.Result steps = add(new StepTimeline(rules, options.times().stepAnnotation()));
        StepParts.Result parts = add(new StepParts(rules, options.times().stepAnnotation()));
        stepParts = parts.rows().isEmpty() ? null : new ChartSection(parts::chart);
        List<Finding> said = new ArrayList<>();
        if (options.serving().inference()
                || !cache.get(new Iterations.Key()).all().isEmpty()) {
            said.addAll(ServingFindings.of(add(new IterationTimeline(rules))));
        }
        if (cache.get(rules.activity()).devices().size() > 1) {
            add(new DeviceTimeline(rules));
        }
        StreamTimeline.Result streams = add(new StreamTimeline(rules));
        IdleGaps.Result gaps = add(new IdleGaps(rules));
        IdleCauses.Result causes = add(new IdleCauses(rules, options.times().stepAnnotation()));
        said.addAll(LaunchFindings.of(add(new LaunchDelays(
                rules, options.times().stepAnnotation(), options.launches().queueLimit()))));
        OpSummary.Result operators = operators();
        PerfSummary.Result perf = performance();
        WorkCoverage.Result coverage = add(new WorkCoverage(work));
        add(new XlaOperators(rules));
        KernelSummary.Result kernels = add(new KernelSummary(rules));
        kernelChart = KernelChart.of(kernels, rules.kernels());
        ShortKernels.Result shorts = add(new ShortKernels(
                rules, options.kernels().shortNs(), options.kernels().shortBins(), ShortKernels.Binning.EXACT));
        KernelOccupancy.Result occupancy = add(new KernelOccupancy(rules));
        said.addAll(HardwareFindings.of(occupancy));
        occupancyChart = OccupancySheets.chart(occupancy);
        counterCharts = CounterCharts.of(add(new CounterSeries(rules)), trace, rules);
        said.addAll(HardwareFindings.of(add(new KernelCounters(rules))));
        HostSummary.Result host = add(new HostSummary(rules));
        ModuleSummary.Result modules = add(new ModuleSummary(work, allocatedIn()));
        moduleCharts = modules.rows().isEmpty() ? List.of() : ModuleCharts.of(cache, rules);
        said.addAll(ModuleFindings.of(modules));
        if (options.collectives()) {
            add(CallSummary.standard());
        }
        CopySummary.Result copies = add(new CopySummary(rules, work.device()));
        said.addAll(CopyFindings.of(trace, copies, timeline.total()));
        MemoryUse.Result memory = add(new MemoryUse(options.times().stepAnnotation(), 1));
        Actions actions = new Actions(work);
        Dependencies.Result dependencies =
                add(new Dependencies(work, options.times().stepAnnotation(), options.paths(), actions));
        answer = Answers.of(actions, dependencies);
        said.addAll(StepFindings.of(trace, parts, causes.account(), dependencies, copies));
        if (cache.get(new Steps.Key(options.times().stepAnnotation())).source() != Steps.Source.SERVING) {
            said.addAll(PaceFindings.of(
                    cache.get(new KernelPace.Key(rules, options.times().stepAnnotation()))));
        }
        said.addAll(DependencyFindings.of(RecordingTool.of(trace), dependencies, exposedBeside(timeline)));
        if (cache.get(rules.activity()).size() == 0) {
            said.addAll(hostAlone(host));
        }
        Device device = work.device();
        said.addAll(MemoryFindings.of(memory, device == null ? Double.NaN : device.memoryBytes()));
        memoryCharts.addAll(MemoryCharts.of(memory));
        said.addAll(WorkFindings.of(trace, perf, coverage, work.device()));
        ReportFindings.Results results = new ReportFindings.Results(
                new DevicePlaces(cache, rules.activity(), sheet),
                timeline,
                steps,
                gaps,
                causes,
                operators,
                kernels,
                shorts);
        List<Finding> findings = ReportFindings.of(cache, results, said);
        List<Section> charts = charts(timeline, steps, streams, perf, dependencies);
        Report report = arranged(ReportFacts.of(trace, timeline, work.device()), findings, charts);
        return new Built(
                report,
                () -> RankFigures.of(
                        cache,
                        timeline,
                        cache.get(new HostCollectives.Key()).size() == 0
                                ? steps
                                : new StepTimeline(rules, options.times().stepAnnotation()).withHost(cache),
                        memory));
    }

    /** What to know first stands first: facts, findings, the sheets they are about, pictures, all other sheets. */
    private Report arranged(Section facts, List<Finding> findings, List<Section> charts) {
        List<Section> all = new ArrayList<>();
        if (answer != null) {
            all.add(new AnswerSection(answer));
        }
        all.add(facts);
        all.add(new FindingsSection("Findings", findings));
        if (comparison != null) {
            all.addAll(comparison.headlines());
        }
        List<Section> first = sections.stream()
                .filter(section -> section instanceof TableSection one
                        && FIRST.contains(one.table().name()))
                .toList();
        sections.removeAll(first);
        all.addAll(first);
        all.addAll(charts);
        all.addAll(sections);
        if (comparison != null) {
            all.addAll(comparison.sheets());
        }
        all.add(new TableSection(ReportFacts.coverage(cache, options.times().stepAnnotation())));
        TraceInfo info = cache.trace().info();
        return ShownNames.of(new Report("Performance of rank " + info.rank().index(), info.source(), all))
                .believing(TraceTrust.of(cache));
    }

    /** Time in which communication is exposed, in ns; none where nothing is computed that it could hold up. */
    private static long exposedBeside(GpuTimeline.Result timeline) {
        return timeline.blocks().isEmpty() || timeline.blocks().getFirst().computation() == 0
                ? 0
                : timeline.blocks().getFirst().exposedCommunication();
    }

    /** Sheets, the chart and findings of a trace in which no device did anything, in place of word of each that is missing. */
    private List<Finding> hostAlone(HostSummary.Result summary) {
        sections.removeIf(NotApplicable.class::isInstance);
        sections.addFirst(new NotApplicable(
                TableNames.GPU_TIMELINE, "the trace has no device activity; nor are there other sheets about devices"));
        if (options.paths().window() != null) {
            sections.add(new NotApplicable(TableNames.CRITICAL_PATH_SUMMARY, NO_PATH));
        }
        if (!options.paths().edits().isEmpty()) {
            sections.add(new NotApplicable(TableNames.WHAT_IF, NO_PATH));
        }
        HostOperators.Result operators = add(new HostOperators(rules));
        HostThreads.Result threads = add(new HostThreads());
        HostFrames.Result frames = add(new HostFrames(rules));
        HostAnnotations.Result annotations = add(new HostAnnotations());
        return HostFindings.of(new HostFindings.Results(summary, operators, threads, frames, annotations));
    }

    private @Nullable IntUnaryOperator allocatedIn() {
        return cache.trace().view(MemoryDetails.KEY) == null ? null : cache.get(new AllocationOwners.Key(1))::inside;
    }

    private OpSummary.Result operators() {
        OpSummary.Result operators = add(new OpSummary(rules, operatorColumns(null)));
        if (options.operators().overlaps()) {
            OpSummary.Result overlapped = new OpSummary(rules, operatorColumns(OverlapRule.STANDARD)).run(cache);
            overlapped.tables().stream().skip(2).forEach(table -> sections.add(new TableSection(table)));
        }
        return operators;
    }

    private OpSummary.Options operatorColumns(@Nullable OverlapRule overlaps) {
        ReportOptions.Operators shown = options.operators();
        return new OpSummary.Options(
                shown.kernelCount(),
                options.times().recompute(),
                shown.firstOccurrence(),
                shown.module(),
                overlaps,
                KernelSeconds.EXACT);
    }

    private PerfSummary.Result performance() {
        ReportOptions.Operators shown = options.operators();
        boolean recompute = options.times().recompute();
        FamilySummary.Layout layout = FamilySummary.Layout.standard();
        PerfSummary summary = new PerfSummary(
                work, new PerfSummary.Options(recompute, null, shown.callStacks() ? StackRule.STANDARD : null));
        PerfSummary.Result operators = summary.run(cache);
        add(summary.id(), operators, operators.tables(comparison == null ? List.of() : comparison.columns()));
        if (shown.overlaps()) {
            add(new PerfSummary(work, new PerfSummary.Options(recompute, OverlapRule.STANDARD, null)));
        }
        add(new FamilySummary(work, layout, shown.kernelCount(), recompute, null));
        if (shown.overlaps()) {
            add(new FamilySummary(work, layout, shown.kernelCount(), recompute, OverlapRule.STANDARD));
        }
        return operators;
    }

    private List<Section> charts(
            GpuTimeline.Result timeline,
            StepTimeline.Result steps,
            StreamTimeline.Result streams,
            PerfSummary.Result perf,
            Dependencies.Result dependencies) {
        List<Section> charts = new ArrayList<>();
        DeviceActivity activity = cache.get(rules.activity());
        if (activity.size() > 0) {
            charts.add(new ChartSection(BreakdownChart.of(timeline, steps, streams)));
        }
        if (stepParts != null) {
            charts.add(stepParts);
        }
        Chart roofline = RooflineChart.of(perf, work.device());
        if (roofline != null) {
            charts.add(new ChartSection(roofline));
        }
        if (kernelChart != null) {
            charts.add(kernelChart);
        }
        if (occupancyChart != null) {
            charts.add(new ChartSection(occupancyChart));
        }
        charts.addAll(moduleCharts);
        charts.addAll(memoryCharts);
        charts.addAll(counterCharts);
        ChartSection overTime = TimelineChart.of(
                cache, rules, new IdleAccount.Key(rules, options.times().stepAnnotation()), dependencies.path());
        if (overTime != null) {
            charts.add(overTime);
        }
        return charts;
    }

    private <R extends AnalysisResult> R add(Analysis<R> analysis) {
        R result = analysis.run(cache);
        add(analysis.id(), result, result.tables());
        return result;
    }

    private void add(String id, AnalysisResult result, List<Table> tables) {
        String reason = result.notApplicable();
        if (reason != null) {
            sections.add(new NotApplicable(id, reason));
        }
        for (Table table : tables) {
            sections.add(new TableSection(table, () -> result.places(table.name())));
        }
    }
}
