// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.kernels.Content.Executed;
import dev.lockstep.kernels.Content.Joined;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.replay.plan.ExecutedWork.Counts;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Table;
import dev.lockstep.words.ShownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What there is to say about unique kernels, in words, a picture and sheets. */
final class KernelReport {
    private static final double NS_PER_MS = 1e6;

    private KernelReport() {}

    /**
     * The report of these kernels.
     *
     * @param source what they were found in
     */
    static Report of(Result result, String source) {
        List<Section> sections = new ArrayList<>();
        sections.add(facts(result));
        List<Finding> findings = new ArrayList<>(contentFindings(result));
        findings.addAll(findings(result));
        sections.add(new FindingsSection("Findings", findings));
        List<Table> tables = result.tables();
        if (!tables.isEmpty()) {
            sections.add(new ChartSection(bars(tables.get(1), result.time() > 0)));
        }
        tables.forEach(table -> sections.add(new TableSection(table)));
        return ShownNames.of(new Report("Unique " + result.content().what(), source, sections));
    }

    private static FactsSection facts(Result result) {
        List<Fact> facts = new ArrayList<>();
        boolean operators = result.content().isOperators();
        facts.add(new Fact(
                "unique " + result.content().what(), number(result.kernels().size()), "by the key below"));
        facts.add(new Fact(
                "calls",
                number(result.calls()),
                operators ? "operators that do the work and were kept" : "kernels, copies and fills that were kept"));
        if (operators) {
            facts.add(new Fact("times", "none", "an execution trace holds operators without times"));
        }
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
        executed(result.content(), facts);
        ForwardPasses forwards = result.forwards();
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

    private static void executed(Content content, List<Fact> facts) {
        Executed executed = content.executed();
        if (executed != null) {
            Counts nodes = executed.nodes();
            facts.add(new Fact("schema", executed.schema(), "of the execution trace"));
            facts.add(new Fact("within these", number(nodes.inside()), "calls that operators make to do their work"));
            facts.add(new Fact("containers", number(nodes.containers()), "calls that only call operators"));
            facts.add(new Fact("marks", number(nodes.marks()), "calls without work"));
        }
        Joined joined = content.joined();
        if (joined != null) {
            facts.add(new Fact(
                    "joined",
                    number(joined.found()) + " of " + number(joined.nodes()),
                    "calls of " + joined.source() + " that the trace holds"));
            facts.add(new Fact(
                    "with inputs",
                    number(joined.withInputs()) + " of " + number(joined.launched()),
                    "kernels, copies and fills of which the operator's inputs are known"));
        }
    }

    private static List<Finding> contentFindings(Result result) {
        List<Finding> findings = new ArrayList<>();
        if (result.content().isOperators()) {
            findings.add(new Finding(
                    Finding.Severity.NOTICE,
                    "operators_without_times",
                    "The list holds operators, not kernels: no device work was recorded, and no times.",
                    "unique_kernels: name"));
            long idle = result.kernels().stream()
                    .filter(k -> k.use() == KernelClass.OTHER)
                    .mapToLong(UniqueKernel::calls)
                    .sum();
            if (idle > 0) {
                findings.add(new Finding(
                        Finding.Severity.INFO,
                        "bookkeeping",
                        number(idle) + " of " + number(result.calls())
                                + " calls are bookkeeping without kernels: they allocate, view memory or read a property.",
                        "unique_kernels: class other"));
            }
        }
        Joined joined = result.content().joined();
        if (joined != null && joined.found() == 0) {
            findings.add(new Finding(
                    Finding.Severity.NOTICE,
                    "not_joined",
                    "No call of " + joined.source() + " was found in the trace: is it of the same run?",
                    "unique_kernels: shapes"));
        } else if (joined != null && joined.withInputs() < joined.launched()) {
            findings.add(new Finding(
                    Finding.Severity.NOTICE,
                    "inputs_missing",
                    number(joined.launched() - joined.withInputs()) + " of " + number(joined.launched())
                            + " kernels, copies and fills come from operators whose inputs neither file holds. They"
                            + " are listed apart, without shapes.",
                    "unique_kernels: shapes"));
        }
        return findings;
    }

    private static List<Finding> findings(Result result) {
        List<Finding> findings = new ArrayList<>();
        ForwardPasses forwards = result.forwards();
        if (forwards != null && forwards.source() == ForwardPasses.Source.COUNTS) {
            findings.add(new Finding(
                    Finding.Severity.INFO,
                    "forwards_from_counts",
                    String.format(
                            Locale.ROOT,
                            "The " + result.content().what()
                                    + " show %d passes of the model: calls of %.0f %% of all names are multiples of %d. Sums over"
                                    + " all calls are %d times those of one pass.",
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
                    different + " of " + result.kernels().size() + " unique "
                            + result.content().what()
                            + " do not run equally often in every step, so no step stands for all.",
                    "unique_kernels: calls per step min, calls per step max"));
        }
        long once = result.kernels().stream().filter(k -> k.calls() == 1).count();
        if (once * 4 > result.kernels().size()) {
            findings.add(new Finding(
                    Finding.Severity.INFO,
                    "kernels_once",
                    once + " of " + result.kernels().size() + " unique "
                            + result.content().what() + " ran a single time.",
                    "unique_kernels: calls"));
        }
        return findings;
    }

    private static Chart bars(Table kinds, boolean timed) {
        int calls = kinds.schema().indexOf("calls");
        int time = kinds.schema().indexOf(ColumnNames.TIME_US);
        List<Chart.Bar> bars = new ArrayList<>();
        for (int row = 0; row < kinds.rows(); row++) {
            double value = timed ? kinds.shown(time, row) / 1000 : kinds.shown(calls, row);
            bars.add(new Chart.Bar(
                    String.valueOf(kinds.strings(0).get(row)),
                    new double[] {value},
                    new Evidence.Rows(kinds.name(), List.of(row))));
        }
        return new Chart.StackedBars(
                "Kinds of kernels",
                timed ? "Sum of durations by kind of kernel." : "Calls by kind of kernel; the list has no times.",
                timed ? "ms" : "",
                List.of(timed ? "time" : "calls"),
                bars,
                true);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
