// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import dev.lockstep.report.Answer;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.AnswerSection;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Reports for tests of writers and pages. Seeded: the same call gives the same report. */
public final class SampleReports {
    private static final Evidence NOWHERE = Evidence.nowhere();

    /** Every type of column, and both ways of showing a unit. */
    public static final Schema EVERY_TYPE = Schema.of(
            ColumnSpec.text("name", "The kernel's name; may be missing."),
            ColumnSpec.count("Count", "How often it ran; may be missing."),
            ColumnSpec.whole(
                    "dur_sum (µs)", Unit.NANOSECONDS, Unit.MICROSECONDS, "Time of all runs together; may be missing."),
            ColumnSpec.real("mean_ms", Unit.NANOSECONDS, Unit.MILLISECONDS, "Mean time of a run; may be missing."),
            ColumnSpec.percent("Percentage (%)", "Share of the sheet's total."),
            ColumnSpec.id("stream", "The device stream."),
            ColumnSpec.bool("has_perf_model", "Whether a performance model knows the operator."),
            ColumnSpec.arguments("Input Dims", "Shapes of the inputs."),
            ColumnSpec.json("details", "Statistics of each kernel."));

    private SampleReports() {}

    /** A report of these tables and nothing else. */
    public static Report of(Table... tables) {
        List<Section> sections = new ArrayList<>();
        for (Table table : tables) {
            sections.add(new TableSection(table));
        }
        return new Report("Sample", "made for a test", sections);
    }

    /** A table with one column of text. */
    public static Table texts(String name, String... cells) {
        TableBuilder table = new TableBuilder(
                name, "Texts", Schema.of(ColumnSpec.text("text", "Any text."), ColumnSpec.count("n", "Its number.")));
        for (int i = 0; i < cells.length; i++) {
            table.row(cells[i], i);
        }
        return table.build();
    }

    /** A table of every type, with as many rows as asked for; every seventh row lacks what may be missing. */
    public static Table everyType(String name, int rows) {
        Random random = new Random(7);
        TableBuilder table = new TableBuilder(name, "Kernels by time", EVERY_TYPE);
        for (int i = 0; i < rows; i++) {
            boolean missing = i % 7 == 3;
            long time = 1L + random.nextInt(90_000_000);
            table.row(
                    missing ? null : "void sample::kernel_" + i % 100 + "<float, 4>(float const*, float*)",
                    missing ? null : i,
                    missing ? null : time,
                    missing ? null : time / 3.0,
                    100.0 * i / Math.max(1, rows),
                    7L + i % 3,
                    i % 2 == 0,
                    "[[" + (32 << i % 4) + ", 64], []]",
                    "[{\"name\": \"k" + i % 100 + "\", \"stream\": 7, \"mean_duration_us\": 12.5}]");
        }
        return table.build();
    }

    /** An answer of four actions, whose names a trace gave. */
    public static Answer answer(String... names) {
        List<Answer.Action> actions = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            long gain = 8_000_000 - 2_000_000L * i;
            Evidence places =
                    new Evidence.Places(List.of(new Evidence.Place(names[i], 1_000_000L * i, 1_000_000L * i + 500)), 7);
            actions.add(new Answer.Action(
                    "action_" + i,
                    gain,
                    gain / 2,
                    i == 1 ? gain / 2 : gain + 100_000,
                    24_000_000,
                    "Change " + names[i],
                    "change(" + names[i] + ")",
                    "lockstep diff BEFORE AFTER",
                    "It is " + names[i] + " that takes the time.",
                    List.of(places)));
        }
        Answer.Verdict verdict = new Answer.Verdict(
                "launch-bound", 0.38, "Launch-bound: 38 % of the 8.00 ms step waits for the CPU.", 24_000_000);
        return new Answer(verdict, actions, 15_000_000, 3);
    }

    /** A report with every kind of section, as large as a short training step. */
    public static Report everySection() {
        return new Report(
                "Performance of rank 0",
                "worker0.pt.trace.json.gz",
                List.of(
                        new AnswerSection(answer("launches", "loading", "attention", "copies")),
                        new FactsSection(
                                "Input",
                                List.of(
                                        new Fact("Device", "Example GPU 80GB", "The accelerator the trace names."),
                                        new Fact("Steps", "3", "Steps that the trace marks."),
                                        new Fact(
                                                "Traced time",
                                                "24.0 ms",
                                                "From the first to the last device activity."),
                                        new Fact("Problems", "none", "Damage found while reading."))),
                        new FindingsSection(
                                "Findings",
                                List.of(
                                        new Finding(
                                                Finding.Severity.INFO,
                                                "coverage",
                                                "All 4,812 kernels are linked to the operator that launched them.",
                                                "ops_summary, Count"),
                                        new Finding(
                                                        Finding.Severity.PROBLEM,
                                                        "launch-bound",
                                                        "The GPU is idle 38 % of the step, in 1,204 gaps under 20 µs:"
                                                                + " launch bound.",
                                                        "kernel_summary, idle_time")
                                                .on(
                                                        new Evidence.Rows("kernel_summary", List.of(2, 4)),
                                                        new Evidence.Places(
                                                                List.of(
                                                                        new Evidence.Place(
                                                                                "idle", 5_000_000, 9_000_000),
                                                                        new Evidence.Place(
                                                                                "idle", 1_000_000, 1_500_000)),
                                                                2)),
                                        new Finding(
                                                Finding.Severity.NOTICE,
                                                "exposed-communication",
                                                "11 % of the step is communication that no computation hides.",
                                                "gpu_timeline, exposed_comm_time"))),
                        new ChartSection(new StackedBars(
                                "Where the time goes",
                                "Time of each step, split by what the device did.",
                                "ms",
                                List.of("computation", "exposed communication", "exposed memcpy", "idle"),
                                List.of(
                                        new Bar("step 1", new double[] {4.1, 0.9, 0.2, 2.8}),
                                        new Bar("step 2", new double[] {4.2, 0.8, 0.1, 2.9}),
                                        new Bar("step 3", new double[] {4.0, 1.1, Double.NaN, 3.2})))),
                        new ChartSection(timeline(24_000_000, 3, 900)),
                        new TableSection(everyType("kernel_summary", 60)),
                        new TableSection(texts("no_rows")),
                        new NotApplicable("short_kernels", "the trace holds no kernel below 10 µs")));
    }

    /** One chart of each kind that is drawn as vector graphics, with values that have no place among them. */
    public static Report vectorCharts() {
        Chart.Points gemm = new Chart.Points(
                "GEMM",
                false,
                new double[] {2, 150, 900, 0},
                new double[] {4, 210, 480, 12},
                new double[] {10, 400, 900, 5},
                List.of("small", "medium", "large", "without a place"));
        Chart.Points norm = new Chart.Points(
                "Normalization",
                true,
                new double[] {0.8, 1.2},
                new double[] {1.4, Double.NaN},
                new double[] {80, 30},
                List.of("layer", "batch"));
        Chart.Polyline roof = new Chart.Polyline(
                "matrix_bf16 989 TFLOPS/s", new double[] {0.1, 295, 10_000}, new double[] {0.335, 989, 989});
        double[][] skew = {{1, 2, Double.NaN, 4}, {0, 9, 3, 1}, {5, 0, 0, -2}};
        return new Report(
                "Charts",
                "",
                List.of(
                        new ChartSection(new Chart.Scatter(
                                "Roofline",
                                "Operators under the roofs of the device.",
                                new Chart.Axis("FLOPS/byte", true),
                                new Chart.Axis("TFLOPS/s", true),
                                List.of(gemm, norm),
                                List.of(roof))),
                        new ChartSection(new Chart.Heat(
                                "Skew",
                                "How late each rank was.",
                                "µs",
                                List.of("rank 0", "rank 1", "rank 2"),
                                List.of("first", "second", "third", "fourth"),
                                skew,
                                Chart.Scale.LOSS)),
                        new ChartSection(new Chart.Waterfall(
                                "What changed",
                                "From the baseline to the candidate.",
                                "ms",
                                "baseline",
                                120,
                                "candidate",
                                List.of(
                                        new Chart.Contribution("GEMM", -14.5, NOWHERE),
                                        new Chart.Contribution("exposed communication <all ranks>", 3.25, NOWHERE)),
                                NOWHERE)),
                        new ChartSection(new Chart.Icicle(
                                "Modules",
                                "What holds what.",
                                "ms",
                                List.of(
                                        new Chart.Box("all", "group", -1, 10),
                                        new Chart.Box("Net_0", "module", 0, 7),
                                        new Chart.Box("Linear_0 <first>", "module", 1, 4),
                                        new Chart.Box("aten::mm", "operator", 2, 4),
                                        new Chart.Box("too small to see", "activity", 3, 0.0001))))));
    }

    /** Streams with alternating activity. */
    public static Timeline timeline(long lengthNs, int streams, int slices) {
        Random random = new Random(11);
        List<TimelineRow> rows = new ArrayList<>();
        for (int row = 0; row < streams; row++) {
            long[] start = new long[slices];
            long[] duration = new long[slices];
            int[] kind = new int[slices];
            int[] name = new int[slices];
            int[] merged = new int[slices];
            long slot = lengthNs / slices;
            for (int i = 0; i < slices; i++) {
                start[i] = i * slot + random.nextInt((int) Math.max(1, slot / 4));
                duration[i] = 1 + (long) (slot * 0.7 * random.nextDouble());
                kind[i] = row == 1 ? 1 : random.nextInt(20) == 0 ? 2 : 0;
                merged[i] = random.nextInt(9) == 0 ? 12 : 1;
                name[i] = merged[i] > 1 ? -1 : row == 1 ? 2 : kind[i] == 2 ? 3 : random.nextInt(2);
            }
            rows.add(
                    new TimelineRow("GPU 0 · stream " + (7 + 13 * row), start, duration, kind, name, merged, duration));
        }
        return new Timeline(
                "Device activity",
                "One strip per stream. Wheel zooms, dragging moves, a double click shows everything.",
                0,
                lengthNs,
                List.of("computation", "communication", "memcpy"),
                List.of(
                        "void sample::gemm<128, 64>(float const*, float*)",
                        "void sample::softmax<float>(float*)",
                        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
                        "Memcpy HtoD"),
                rows);
    }
}
