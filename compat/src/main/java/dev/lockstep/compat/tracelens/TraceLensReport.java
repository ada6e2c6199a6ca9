// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.OpCategories;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.StackRule;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.ExtraColumn;
import dev.lockstep.analyze.work.FamilySheets;
import dev.lockstep.analyze.work.FamilySummary;
import dev.lockstep.analyze.work.KernelSummary;
import dev.lockstep.analyze.work.OpSheets;
import dev.lockstep.analyze.work.OpSummary;
import dev.lockstep.analyze.work.PerfSheets;
import dev.lockstep.analyze.work.PerfSummary;
import dev.lockstep.analyze.work.SheetHabits;
import dev.lockstep.analyze.work.ShortKernels;
import dev.lockstep.compat.tracelens.diff.TraceLensDiff;
import dev.lockstep.derive.AnnotationRule;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Nesting;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The single-rank report with the sheets, columns, orders and definitions of TraceLens. */
public final class TraceLensReport {
    private static final String UNNAMED = "Unknown";
    private static final String NO_MODULE = "NA";
    private static final double NS_PER_US = 1000;

    /** The one sheet that keeps its header when it has no rows. */
    private static final String HISTOGRAM = "short_kernel_histogram";

    private static final OverlapRule OVERLAPS = new OverlapRule(1_000, 1, 0.01);
    private static final StackRule STACKS = new StackRule(FrameNames::of, false, true, true, "Not found");
    private static final SheetHabits HABITS = new SheetHabits(
            UNNAMED,
            ColumnSpec.id("ex_UID", "Place of the first of these operators among the events of the file."),
            (start, number) -> number,
            PythonValues::dictionary,
            PythonValues::str,
            false,
            false);

    private final DerivedCache cache;
    private final AnalysisRules rules;
    private final WorkRules work;
    private final ReportOptions options;
    private final List<Section> sections = new ArrayList<>();

    private TraceLensReport(DerivedCache cache, ReportOptions options) {
        this.cache = cache;
        this.options = options;
        OpModels models = TraceLensModels.models().with(options.models().definitions());
        AnalysisRules plain = rules(options);
        this.rules = plain.withCategories(plain.categories().with(models));
        this.work = work(rules, models, options);
    }

    /** The report of this trace. */
    public static Report of(Trace trace, ReportOptions options) {
        return of(new DerivedCache(trace), options);
    }

    /** The report of this trace, of which others may have derived something already, or want to. */
    public static Report of(DerivedCache cache, ReportOptions options) {
        Trace trace = cache.trace();
        if (trace.info().format().equals(TraceFormat.ROCPROF.id())) {
            return RocprofReport.of(
                    trace,
                    options.kernels().studyShort(),
                    options.kernels().shortNs() / NS_PER_US,
                    options.kernels().shortBins());
        }
        if (trace.info().format().equals(TraceFormat.XPLANE.id())) {
            return JaxReport.of(cache, options);
        }
        return new TraceLensReport(cache, options).build();
    }

    /** The definitions of that tool. */
    public static AnalysisRules rules(ReportOptions options) {
        return new AnalysisRules(
                Nesting.BY_FILE_ORDER,
                options.times().recompute()
                        || options.operators().callStacks()
                        || options.operators().module()
                        || options.serving().captures() != null,
                LaunchRule.FLOW_ARROWS,
                new KernelRules(KernelRules.resource(TraceLensReport.class.getResourceAsStream("kernel-classes.txt"))),
                OpCategories.parse(
                        KernelRules.resource(TraceLensReport.class.getResourceAsStream("op-categories.txt"))),
                !options.times().unlinked(),
                false,
                true);
    }

    private static WorkRules work(AnalysisRules rules, OpModels models, ReportOptions options) {
        return new WorkRules(
                rules,
                models,
                options.models().device(),
                !options.serving().inference(),
                false,
                false,
                true,
                new DoubleTimes(),
                AnnotationRule.FIRST_AROUND,
                true);
    }

    private Report build() {
        add(
                "gpu_timeline",
                DoubleTimeline.of(
                        cache,
                        rules,
                        options.times().microIdleNs(),
                        options.times().recompute()));
        KernelSummary.Result kernels = new KernelSummary(rules).run(cache);
        if (kernels.operators()) {
            operators();
            performance();
        }
        if (options.kernels().summary()) {
            add("kernel_summary", kernels.tables());
        }
        if (options.kernels().studyShort()) {
            shortKernels();
        }
        if (options.collectives() && kernels.operators() && !options.serving().inference()) {
            TraceLensCollectives.single(cache).ifPresent(table -> sections.add(new TableSection(table)));
        }
        Trace trace = cache.trace();
        return new Report("TraceLens report", trace.info().source(), Frames.withoutEmptyColumns(sections, HISTOGRAM));
    }

    private void operators() {
        OpSummary.Result result = opSummary(null);
        if (result.byName().isEmpty()) {
            sections.add(new NotApplicable("ops_summary", "no operator launched device work"));
            return;
        }
        sections.add(new TableSection(OpSheets.byCategory(result, NO_MODULE)));
        sections.add(new TableSection(OpSheets.byName(result, NO_MODULE)));
        sections.add(new TableSection(byArguments(result)));
        if (options.operators().overlaps()) {
            sections.add(new TableSection(byArguments(opSummary(OVERLAPS))));
        }
    }

    private OpSummary.Result opSummary(@Nullable OverlapRule overlaps) {
        ReportOptions.Operators shown = options.operators();
        OpSummary.Options columns = new OpSummary.Options(
                shown.kernelCount(),
                options.times().recompute(),
                shown.firstOccurrence(),
                shown.module(),
                overlaps,
                work.seconds());
        return new OpSummary(rules, columns).run(cache);
    }

    private static Table byArguments(OpSummary.Result result) {
        OpSummary.Result ordered = new OpSummary.Result(
                result.options(),
                result.firstLaunch(),
                result.byCategory(),
                result.byName(),
                result.byArguments().stream()
                        .sorted(Comparator.comparingDouble(OpSummary.ArgumentsRow::seconds)
                                .reversed()
                                .thenComparingInt(OpSummary.ArgumentsRow::firstIndex))
                        .toList(),
                null);
        return OpSheets.byArguments(
                ordered,
                UNNAMED,
                NO_MODULE,
                OpSummary.ArgumentsRow::firstIndex,
                ColumnSpec.id("ex_UID", "Place of the first of these operators among the events of the file."));
    }

    private void performance() {
        StackRule stacks = options.operators().callStacks() ? STACKS : null;
        perfSummary(null, stacks);
        if (options.operators().overlaps()) {
            perfSummary(OVERLAPS, stacks);
        }
        families(null);
        if (options.operators().overlaps()) {
            families(OVERLAPS);
        }
    }

    private void perfSummary(@Nullable OverlapRule overlaps, @Nullable StackRule stacks) {
        PerfSummary.Options shown = new PerfSummary.Options(options.times().recompute(), overlaps, stacks);
        PerfSummary.Result result = new PerfSummary(work, shown).run(cache);
        if (!result.rows().isEmpty()) {
            Trace baseline = overlaps == null ? options.baseline() : null;
            TraceLensDiff diff =
                    baseline == null ? null : TraceLensDiff.of(cache, new DerivedCache(baseline), rules.python());
            List<ExtraColumn> columns = diff == null ? List.of() : ComparedColumns.of(diff.comparison());
            sections.add(new TableSection(PerfSheets.table(result, HABITS, columns)));
            if (diff != null && !diff.isEmpty()) {
                sections.add(new TableSection(diff.stats()));
            }
        }
    }

    private void families(@Nullable OverlapRule overlaps) {
        FamilySummary.Result families = new FamilySummary(
                        work,
                        new TraceLensFamilies(options.serving().inference()),
                        options.operators().kernelCount(),
                        options.times().recompute(),
                        overlaps)
                .run(cache);
        for (FamilySummary.Sheet sheet : families.sheets()) {
            sections.add(new TableSection(FamilySheets.table(families, sheet, HABITS)));
        }
    }

    private void shortKernels() {
        ShortKernels.Result result = new ShortKernels(
                        rules, options.kernels().shortNs(), options.kernels().shortBins(), TraceLensReport::binOf)
                .run(cache);
        if (result.tables().isEmpty()) {
            return;
        }
        sections.add(new TableSection(result.tables().getFirst()));
        List<ShortKernels.Row> whole = result.rows().stream()
                .filter(r -> !result.operators()
                        || r.operator() != null
                                && r.inputDims() != null
                                && r.inputStrides() != null
                                && r.concreteInputs() != null)
                .toList();
        sections.add(new TableSection(ShortKernels.summary(result, whole)));
    }

    /** In microseconds as doubles: a duration on an edge may fall to either side, as it does in numpy. */
    private static int binOf(long value, long min, long max, int bins) {
        double x = value / NS_PER_US;
        double first = min / NS_PER_US;
        double last = max / NS_PER_US;
        double step = (last - first) / bins;
        int bin = Math.min(bins - 1, (int) ((x - first) * (bins / (last - first))));
        if (x < bin * step + first) {
            return bin - 1;
        }
        return bin < bins - 1 && x >= (bin + 1) * step + first ? bin + 1 : bin;
    }

    private void add(String name, List<Table> tables) {
        if (tables.isEmpty()) {
            sections.add(new NotApplicable(name, "the trace has no device activity"));
        }
        tables.forEach(table -> sections.add(new TableSection(table)));
    }
}
