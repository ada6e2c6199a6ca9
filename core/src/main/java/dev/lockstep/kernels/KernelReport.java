// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What there is to say about unique kernels, in words, a picture and sheets. */
public final class KernelReport {
    private static final double NS_PER_MS = 1e6;

    private KernelReport() {}

    /**
     * The report of these kernels.
     *
     * @param source what they were found in
     */
    public static Report of(Result result, String source) {
        List<Section> sections = new ArrayList<>();
        sections.add(facts(result));
        sections.add(new FindingsSection("Findings", findings(result)));
        List<Table> tables = result.tables();
        if (!tables.isEmpty()) {
            sections.add(new ChartSection(bars(tables.get(1), result.time() > 0)));
        }
        tables.forEach(table -> sections.add(new TableSection(table)));
        return new Report("Unique kernels", source, sections);
    }

    private static FactsSection facts(Result result) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("unique kernels", number(result.kernels().size()), "by the key below"));
        facts.add(new Fact("calls", number(result.calls()), "kernels, copies and fills that were kept"));
        if (result.time() > 0) {
            facts.add(new Fact(
                    "time", String.format(Locale.ROOT, "%,.3f ms", result.time() / NS_PER_MS), "sum of all durations"));
        }
        String key = result.key().stream().map(KeyField::spelling).collect(Collectors.joining(", "));
        facts.add(new Fact(
                "key",
                "name" + (key.isEmpty() ? "" : ", " + key),
                "what tells kernels apart; of copies and fills also the bytes"));
        facts.add(new Fact("seen", number(result.totals().seen()), "what the input holds"));
        if (result.totals().excluded() > 0) {
            facts.add(new Fact("left out by name", number(result.totals().excluded()), ""));
        }
        if (result.totals().deviceFiltered() > 0) {
            facts.add(new Fact("left out by device", number(result.totals().deviceFiltered()), ""));
        }
        Forwards forwards = result.forwards();
        facts.add(
                forwards == null
                        ? new Fact("forwards", "unknown", "no steps are marked, nothing repeats")
                        : new Fact(
                                "forwards",
                                number(forwards.count()),
                                "passes of the model, told from "
                                        + forwards.source().words()));
        return new FactsSection("Facts", facts);
    }

    private static List<Finding> findings(Result result) {
        List<Finding> findings = new ArrayList<>();
        Forwards forwards = result.forwards();
        if (forwards != null && forwards.source() == Forwards.Source.COUNTS) {
            findings.add(new Finding(
                    Finding.Severity.INFO,
                    "forwards_from_counts",
                    String.format(
                            Locale.ROOT,
                            "The kernels tell of %d passes of the model: the calls of %.0f %% of all kernel names are"
                                    + " multiples of %d. Sums over all calls are %d times those of one pass.",
                            forwards.count(),
                            forwards.support() * 100,
                            forwards.count(),
                            forwards.count()),
                    "unique_kernels: calls by name"));
        }
        long different = result.kernels().stream()
                .filter(k -> k.steps() != null && k.steps().least() != k.steps().most())
                .count();
        if (different > 0) {
            findings.add(new Finding(
                    Finding.Severity.NOTICE,
                    "steps_differ",
                    different + " of " + result.kernels().size()
                            + " unique kernels do not run equally often in every step, so no step stands for all.",
                    "unique_kernels: calls_per_step_min, calls_per_step_max"));
        }
        long once = result.kernels().stream().filter(k -> k.calls() == 1).count();
        if (once * 4 > result.kernels().size()) {
            findings.add(new Finding(
                    Finding.Severity.INFO,
                    "kernels_once",
                    once + " of " + result.kernels().size() + " unique kernels ran a single time.",
                    "unique_kernels: calls"));
        }
        return findings;
    }

    private static Chart bars(Table kinds, boolean timed) {
        int calls = kinds.schema().indexOf("calls");
        int time = kinds.schema().indexOf("time_us_sum");
        List<Chart.Bar> bars = new ArrayList<>();
        for (int row = 0; row < kinds.rows(); row++) {
            double value = timed ? kinds.shown(time, row) / 1000 : kinds.shown(calls, row);
            bars.add(new Chart.Bar(String.valueOf(kinds.strings(0).get(row)), new double[] {value}));
        }
        return new Chart.StackedBars(
                "Kinds of kernels",
                timed ? "Sum of durations by kind of kernel." : "Calls by kind of kernel; the list has no times.",
                timed ? "ms" : "",
                List.of(timed ? "time" : "calls"),
                bars);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
