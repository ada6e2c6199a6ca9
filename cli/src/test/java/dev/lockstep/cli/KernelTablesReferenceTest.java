// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.kernels.GanttChart;
import dev.lockstep.kernels.GanttLanes;
import dev.lockstep.kernels.KeyField;
import dev.lockstep.kernels.UniqueKernels;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Trace;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.Part.Identity;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.replay.reconcile.PartsEnergy;
import dev.lockstep.replay.reconcile.Reconciliation;
import dev.lockstep.replay.reconcile.ReconciliationReport;
import dev.lockstep.replay.reconcile.Whole;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/kernel-tables.md} is what the columns say about themselves. After a change of a column, rewrite it
 * with {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class KernelTablesReferenceTest {
    private static final String REFERENCE = "docs/reference/kernel-tables.md";
    private static final long S = 1_000_000_000L;

    private static final String HEAD = """
        # The tables of `lockstep kernels` and `lockstep replay`

        Generated from the columns themselves; do not edit. A missing value is an empty cell. What they mean:
        [Kernels, alone and together](../concepts/kernel-replay.md). Plans and results: [Replay files](replay-files.md).

        `kernels extract` writes `unique_kernels`, `kernel_categories`, `kernel_tiers`, `kernel_places` and `kernel_durations`; columns of times are
        missing for lists without times, those of steps and passes where there are none, `strides` and `registers` unless `--sig-fields` names them. Of an execution trace, sheets hold operators:
        columns of launches, streams and times are missing; of a linked one, kernels without what it does not hold: grid, block, shared memory and bytes. `kernels gantt`
        shows `gantt_lanes` on its page. `replay compare` writes `contributions`, `kinds` and `parts`, with `--power` also `replay_energy`, which is what
        `replay energy` writes.

        Beside the sheets, `kernels extract` writes

        | File | Columns or fields |
        |---|---|
        | `unique_kernels.jsonl` | a line for each: `kernel`, `name`, `device` (all it ran on), `signature` (what tells it apart), `count`, `category`, `tier`, `time_us` (`sum`, `min`, `p10`, `median`, `p90`, `max`) |
        | `kernel_counts.csv` | `device`, `category` (compute, communication, memory or other), `kernel_name`, `count`, most first |
        | `summary.json` | `inputs`, `content` (`kernels` or `operators`), `times` (whether there are any), `sig_fields`, `totals` (`seen`, `kept`, `excluded`, `device_filtered`), of an execution trace `execution_trace` (`schema`, `linked`, and its calls: `operators`, `inside`, `containers`, `marks`), with `--execution-trace` `joined` (`execution_trace`, `nodes`, of these `found`, `operators` that got inputs, kernels, copies and fills that operators `launched`, of these those `with_inputs`), `unique_count`, `steps`, `steps_from`, `forwards`, `forwards_from`, `tiers` |
        | `kernel_launches.csv` | with `--launches`: `kernel` (number of the unique kernel), `device`, `stream`, `start_us` on the trace's clock, `dur_us`, `step`, `correlation`. Of an execution trace: `kernel`, `device`, `step`, `thread`, `node` (number of the operator's node), in the order of calls; of a linked one also `stream`, `launch_us`, `dur_us` |

        and `kernels gantt --csv` writes `kernels_rankN_gpuM.csv`: `name`, `start_ms` since the first kernel of the chart, `dur_ms`, `device`, `stream`, `category`.
        """;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        List<Table> tables = tables();
        assertThat(tables)
                .extracting(Table::name)
                .containsExactly(
                        "unique_kernels",
                        "kernel_categories",
                        "kernel_tiers",
                        "kernel_places",
                        "kernel_durations",
                        "gantt_lanes",
                        "contributions",
                        "kinds",
                        "parts",
                        "replay_energy");
        TableReference.demand(REFERENCE, HEAD, tables);
    }

    private static List<Table> tables() {
        Trace trace = TestTraces.of(new EventText()
                .annotation("ProfilerStep#1", 0, 10_000)
                .op("aten::mm", 0, 2_000, "\"Input Dims\": [[8, 64]], \"Input type\": [\"float\"]")
                .launch("gemm", 500, 4_000, 1_000, 1, 7));
        Selection everything = new Selection(EnumSet.allOf(KeyField.class), Set.of(), List.of(), null, 1);
        List<Table> tables = new ArrayList<>(new UniqueKernels(AnalysisRules.standard(), everything)
                .run(new DerivedCache(trace))
                .tables());
        GanttChart chart = GanttChart.of(List.of(new GanttChart.Rank(0, "", GanttLanes.of(trace, Set.of()), 0)));
        tables.addAll(tables(chart.report("")));
        Part part = new Part(
                new Identity(0, "aten::mm", "ran", "[]", "[]", "[]"),
                2,
                2,
                1_000,
                1_100,
                100,
                new Window(S, 2 * S),
                2_000,
                null);
        PowerSeries power =
                new PowerSeries("gpu0", new long[] {0, S, 2 * S, 3 * S}, new double[] {5, 5, 5, 5}, new double[0]);
        MeasuredParts isolated =
                new MeasuredParts("", List.of(part), 1, ForwardPasses.Source.ANNOTATION, List.of(), List.of());
        tables.addAll(tables(ReconciliationReport.of(
                new Reconciliation(
                        isolated,
                        new Whole("", 5_000, 1, Whole.Activity.UNKNOWN),
                        new ForwardPasses(1, ForwardPasses.Source.GIVEN, Double.NaN),
                        PartsEnergy.of(isolated, List.of(power), 0)),
                List.of())));
        return tables;
    }

    private static List<Table> tables(Report report) {
        return report.sections().stream()
                .filter(TableSection.class::isInstance)
                .map(section -> ((TableSection) section).table())
                .toList();
    }
}
