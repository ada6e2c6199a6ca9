// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.memory.DeviceMemory;
import dev.lockstep.analyze.memory.MemoryCharts;
import dev.lockstep.analyze.memory.MemoryDifference;
import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.SegmentDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart.Contribution;
import dev.lockstep.report.Chart.Waterfall;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The report of the memory alone, of one recording or of two. */
public final class MemoryReport {
    private static final double MEBI = 1 << 20;
    private static final int MOST_CONTRIBUTIONS = 12;

    private MemoryReport() {}

    /** Whether a trace holds memory and nothing else. */
    static boolean isAll(Trace trace) {
        return trace.slices().size() == 0
                && (trace.view(MemoryDetails.KEY) != null || trace.view(SegmentDetails.KEY) != null);
    }

    /** What is to be said about the memory of a trace. */
    public static Report of(Trace trace, MemoryUse options) {
        DerivedCache cache = new DerivedCache(trace);
        MemoryUse.Result result = demand(options.run(cache), trace);
        List<Section> sections = new ArrayList<>();
        sections.add(facts(trace, result));
        sections.add(new FindingsSection("Findings", MemoryFindings.of(result)));
        sections.addAll(MemoryCharts.of(result));
        result.tables().forEach(table -> sections.add(new TableSection(table)));
        sections.add(new TableSection(ReportFacts.coverage(cache, options.stepAnnotation())));
        return new Report("Memory", trace.info().source(), sections);
    }

    /** What sets the peaks of two traces apart. */
    public static Report of(Trace a, Trace b, MemoryUse options) {
        MemoryUse.Result one = demand(options.run(new DerivedCache(a)), a);
        MemoryUse.Result two = demand(options.run(new DerivedCache(b)), b);
        List<MemoryDifference.Row> rows = MemoryDifference.of(one, two);
        List<Section> sections = new ArrayList<>();
        sections.add(facts(a, one));
        sections.add(facts(b, two));
        List<Finding> findings = new ArrayList<>();
        List<Section> charts = new ArrayList<>();
        rows.stream().map(MemoryDifference.Row::device).distinct().forEach(device -> {
            List<MemoryDifference.Row> some = rows.stream()
                    .filter(row -> row.device().equals(device) && row.difference() != 0)
                    .toList();
            long from = rows.stream()
                    .filter(row -> row.device().equals(device))
                    .mapToLong(MemoryDifference.Row::a)
                    .sum();
            long change =
                    some.stream().mapToLong(MemoryDifference.Row::difference).sum();
            findings.add(finding(device, from, change, some));
            charts.add(new ChartSection(waterfall(device, from, from + change, some, rows)));
        });
        sections.add(new FindingsSection("Findings", findings));
        sections.addAll(charts);
        sections.add(new TableSection(MemoryDifference.sheet(rows)));
        return new Report(
                "Memory of two traces", a.info().source() + " and " + b.info().source(), sections);
    }

    private static MemoryUse.Result demand(MemoryUse.Result result, Trace trace) {
        String lacking = result.notApplicable();
        if (lacking != null) {
            throw new UserException(ErrorCode.DATA_MISSING, trace.info().source() + ": " + lacking, null);
        }
        return result;
    }

    private static FactsSection facts(Trace trace, MemoryUse.Result result) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Format", trace.info().format(), "What the file is."));
        for (DeviceMemory device : result.devices()) {
            String of = device.log().device() == MemoryDetails.HOST ? "the CPU" : "device " + device.device();
            facts.add(new Fact(
                    "Peak of " + of,
                    Words.bytes(device.whole().peak())
                            + String.format(
                                    Locale.ROOT, " (%,d)", device.whole().peak()),
                    "The most memory allocated at a time."));
        }
        return new FactsSection(trace.info().source(), facts);
    }

    private static Finding finding(String device, long from, long change, List<MemoryDifference.Row> rows) {
        StringBuilder text = new StringBuilder("Device " + device + " peaks at " + Words.bytes(from + change)
                + " instead of " + Words.bytes(from) + ".");
        if (!rows.isEmpty()) {
            MemoryDifference.Row first = rows.getFirst();
            text.append(" The largest change is ")
                    .append(first.difference() < 0 ? "" : "+")
                    .append(Words.bytes(first.difference()))
                    .append(", by ")
                    .append(Words.name(first.owner()))
                    .append('.');
        }
        return new Finding(Severity.INFO, "memory_difference", text.toString(), "memory_diff");
    }

    /** @param sheet all rows of the sheet */
    private static Waterfall waterfall(
            String device, long from, long to, List<MemoryDifference.Row> rows, List<MemoryDifference.Row> sheet) {
        List<Contribution> steps = new ArrayList<>();
        List<MemoryDifference.Row> first = rows.subList(0, Math.min(rows.size(), MOST_CONTRIBUTIONS));
        long rest = to - from;
        for (MemoryDifference.Row row : first) {
            steps.add(new Contribution(row.owner(), row.difference() / MEBI, lines(sheet, row::equals)));
            rest -= row.difference();
        }
        if (rest != 0) {
            steps.add(new Contribution(
                    (rows.size() - MOST_CONTRIBUTIONS) + " more",
                    rest / MEBI,
                    lines(sheet, rows.subList(first.size(), rows.size())::contains)));
        }
        return new Waterfall(
                "From one peak to the other, device " + device,
                "What each owner holds more at the peak of the second trace than at that of the first.",
                "MiB",
                "peak of A",
                from / MEBI,
                "peak of B",
                steps,
                lines(sheet, row -> row.device().equals(device)));
    }

    private static Evidence lines(List<MemoryDifference.Row> sheet, Predicate<MemoryDifference.Row> meant) {
        return Evidence.Rows.of("memory_diff", sheet, meant);
    }
}
