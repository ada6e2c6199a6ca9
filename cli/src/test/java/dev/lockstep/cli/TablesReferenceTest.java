// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.DifferenceReport;
import dev.lockstep.reporting.MemoryReport;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.session.Session;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.Pickled;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/tables.md} is what the columns say about themselves. After a change of a column, rewrite it with
 * {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class TablesReferenceTest {
    private static final String REFERENCE = "docs/reference/tables.md";

    private static final String HEAD = """
        # The sheets of `lockstep report`

        Generated from the columns themselves; do not edit. Each sheet is a CSV file, a sheet of the workbook and a table of
        the page. A missing value is an empty cell. How to read the sheets: [Read a report](../how-to/read-a-report.md). How
        they differ from those of TraceLens: [Differences](differences.md).

        Columns are called in words: small letters, spaces between, the unit last, in its symbol (`time us`, `idle %`,
        `peak memory MiB`). Sheets that another tool or a published specification has keep their names of there, and columns
        that are added to these follow them: those of TraceLens (`gpu_timeline`, `ops_*`, `unified_perf_summary`, families of
        operators, `kernel_summary`, `short_kernel*`, `coll_analysis`, `nccl_*`, `straggler_summary`), of HTA (`hta_*`), of
        AORTA (`gemm_*`, sheets of sweeps), `what_if` and `recovered_roles`. Sheets of fleets are named as the columns of
        [datasets](dataset.md), for SQL.
        """;

    private static final String DIFF = """

        # The sheets of `lockstep diff`

        `lockstep report --baseline` has them, too. What they rest on: [How traces are compared](../concepts/trace-diff.md).
        """;

    private static final String MEMORY = """

        # The sheets of `lockstep memory`

        `lockstep report` has them, too, where a trace holds memory events. What they rest on: [Memory](../concepts/memory.md).
        """;

    /** What adds columns. */
    private static final Map<String, ReportOptions> OPTIONS = new LinkedHashMap<>();

    static {
        ReportOptions.Operators none = ReportOptions.Operators.STANDARD;
        OPTIONS.put("--detect-recompute", options(true, none));
        OPTIONS.put(
                "--first-occurrence", options(false, new ReportOptions.Operators(false, false, true, false, false)));
        OPTIONS.put(
                "--group-by-kernel-count",
                options(false, new ReportOptions.Operators(true, false, false, false, false)));
        OPTIONS.put("--group-by-module", options(false, new ReportOptions.Operators(false, true, false, false, false)));
        OPTIONS.put("--call-stacks", options(false, new ReportOptions.Operators(false, false, false, true, false)));
    }

    @TempDir
    private Path folder;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        Trace trace = trace();
        String reference = render(trace, serving(), host());

        if (Boolean.getBoolean("golden.update")) {
            assertThat(System.getenv("CI"))
                    .as("golden files are not rewritten where CI is set")
                    .isNull();
            Files.writeString(Documents.ROOT.resolve(REFERENCE), reference);
        }
        assertThat(Documents.read(REFERENCE)).isEqualTo(reference);
    }

    private Trace trace() throws IOException {
        TraceRecipe recipe =
                TraceRecipe.standard().withRanks(2).withLayers(1).withSteps(3).withPythonStacks(true);
        Path file = folder.resolve("rank0_trace.json");
        Files.write(file, SyntheticRun.bytes(recipe, 0));
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {}).getFirst();
        }
    }

    /** A trace in which a serving engine marked an iteration. */
    private Trace serving() throws IOException {
        Path file = folder.resolve("serving.json");
        String call = "\"pid\": 1, \"tid\": 1, \"args\": {\"correlation\": 1}}";
        Files.writeString(
                file,
                "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"step[DECODE bs=1]\","
                        + " \"ts\": 0, \"dur\": 9, " + call
                        + ", {\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"ts\": 1,"
                        + " \"dur\": 1, "
                        + call
                        + ", {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 3, \"dur\": 1, \"pid\": 0,"
                        + " \"tid\": 7, \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": 1}}]}");
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {}).getFirst();
        }
    }

    /** A trace in which no device did anything. */
    private Trace host() throws IOException {
        Path file = folder.resolve("host.json");
        String place = "\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 9}";
        Files.writeString(
                file,
                "{\"traceEvents\": [{\"cat\": \"user_annotation\", \"name\": \"step\", " + place
                        + ", {\"cat\": \"python_function\", \"name\": \"train.py(1): main\", " + place
                        + ", {\"cat\": \"cpu_op\", \"name\": \"aten::mm\", " + place + "]}");
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {}).getFirst();
        }
    }

    /** Sheets that only traces with modules have. */
    private List<Table> ofModules() throws IOException {
        Path file = folder.resolve("modules.json");
        Files.writeString(
                file,
                "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"nn.Module: Net_0\","
                        + " \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 9}, {\"ph\": \"i\", \"name\": \"[memory]\","
                        + " \"pid\": 1, \"tid\": 1, \"ts\": 5, \"args\": {\"Device Id\": 0, \"Bytes\": 8, \"Addr\": 1,"
                        + " \"Total Allocated\": 8}}]}");
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), bytes -> {}).getFirst();
            return PerformanceReport.of(trace, ReportOptions.standard()).tables().stream()
                    .filter(table -> table.name().matches("modules|module_classes"))
                    .toList();
        }
    }

    /** Sheets that only traces with counters, several devices or instructions of XLA have. */
    private List<Table> ofCounters() throws IOException {
        EventText events = new EventText().op("aten::mm", 0, 10_000).launch("k", 1_000, 5_000, 9_000, 1, 7);
        events.complete(
                "kernel",
                "k",
                "1",
                "7",
                5_000,
                9_000,
                "\"device\": 1, \"stream\": 7, \"correlation\": 1, \"hlo_op\": \"fusion.1\"");
        events.raw("{\"ph\": \"C\", \"name\": \"c\", \"pid\": 0, \"ts\": 6, \"args\": {\"v\": 1}}");
        events.complete("cuda_profiler_range", "k", "0", "0", 20_000, 1_000, "\"dram__bytes.sum\": 1");
        List<Table> found = PerformanceReport.of(TestTraces.of(events), ReportOptions.standard()).tables().stream()
                .filter(table -> table.name()
                        .matches("counters|counters_by_op|kernel_counters|gpu_timeline_by_device|xla_operators"))
                .toList();
        assertThat(found).hasSize(5);
        return found;
    }

    /** Sheets about paths and scenarios that were asked for. */
    private static List<Table> ofPaths(Trace trace) {
        ReportOptions options =
                ReportOptions.standard().with(new ReportOptions.Paths(ReportOptions.Paths.STEP, List.of("host=x0.5")));
        List<Table> found = PerformanceReport.of(trace, options).tables().stream()
                .filter(table ->
                        table.name().startsWith("critical_path") || table.name().equals("what_if"))
                .toList();
        assertThat(found).hasSize(4);
        return found;
    }

    /** Sheets that only traces without a device have. */
    private static List<Table> ofHosts(Trace trace) {
        List<Table> found = PerformanceReport.of(trace, ReportOptions.standard()).tables().stream()
                .filter(table ->
                        table.name().startsWith("host_") && !table.name().equals("host_summary"))
                .toList();
        assertThat(found).hasSize(4);
        return found;
    }

    private static List<Table> iterations(Trace trace) {
        ReportOptions options = ReportOptions.standard().with(new ReportOptions.Serving(true, false, null));
        List<Table> found = PerformanceReport.of(trace, options).tables().stream()
                .filter(TablesReferenceTest::isIterations)
                .toList();
        assertThat(found).hasSize(2);
        return found;
    }

    private static boolean isIterations(Table table) {
        return table.name().startsWith("iterations");
    }

    private String render(Trace trace, Trace serving, Trace host) throws IOException {
        StringBuilder out = new StringBuilder(HEAD);
        List<Table> all = new ArrayList<>(tables(trace));
        all.addAll(iterations(serving));
        all.addAll(ofHosts(host));
        all.addAll(ofModules());
        all.addAll(ofCounters());
        all.addAll(ofPaths(trace));
        Widened widened = Widened.of(trace);
        for (Table table : all) {
            render(table, columns(table, widened), out);
        }
        out.append(DIFF);
        DerivedCache cache = new DerivedCache(trace);
        for (Table table : DifferenceReport.compare(cache, cache).tables()) {
            Map<ColumnSpec, String> columns = new LinkedHashMap<>();
            table.schema().columns().forEach(spec -> columns.put(spec, ""));
            render(table, columns, out);
        }
        out.append(MEMORY);
        for (Table table : ofMemory()) {
            Map<ColumnSpec, String> columns = new LinkedHashMap<>();
            table.schema().columns().forEach(spec -> columns.put(spec, ""));
            render(table, columns, out);
        }
        return out.toString();
    }

    private List<Table> ofMemory() throws IOException {
        Path file = folder.resolve("snapshot.pickle");
        Files.write(
                file,
                Pickled.of(
                        Pickled.snapshot(
                                List.of(Pickled.segment(0, 4096, 100)),
                                List.of(
                                        Pickled.change("alloc", 1, 100, 1, List.of()),
                                        Pickled.change("oom", 0, 100, 2, List.of()))),
                        4));
        MemoryUse options = new MemoryUse(null, 1);
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), bytes -> {}).getFirst();
            return Stream.of(MemoryReport.of(trace, options), MemoryReport.of(trace, trace, options))
                    .flatMap(report -> report.tables().stream())
                    .filter(table -> table.name().startsWith("memory_"))
                    .toList();
        }
    }

    /** All sheets, with the columns that are always there. */
    private static List<Table> tables(Trace trace) {
        ReportOptions.Operators overlaps = new ReportOptions.Operators(false, false, false, false, true);
        return PerformanceReport.of(trace, options(false, overlaps)).tables();
    }

    private static boolean isOverlap(Table table) {
        return table.name().endsWith("_kl_overlap");
    }

    private static void render(Table table, Map<ColumnSpec, String> columns, StringBuilder out) {
        out.append("\n## `").append(table.name()).append("`\n\n");
        out.append(table.title()).append('.');
        out.append(isOverlap(table) ? " Only with `--overlap-info`." : "");
        out.append(isIterations(table) ? " Only with `--inference`.\n\n" : "\n\n");
        out.append("| Column | Unit | Holds | Meaning |\n|---|---|---|---|\n");
        for (Map.Entry<ColumnSpec, String> column : columns.entrySet()) {
            ColumnSpec spec = column.getKey();
            out.append("| `" + spec.header() + "` | " + spec.shown().symbol() + " | " + holds(spec) + " | "
                    + spec.doc().replace("|", "\\|") + column.getValue() + " |\n");
        }
    }

    /** The columns with all options on, in order; those that an option adds say which. */
    private static Map<ColumnSpec, String> columns(Table table, Widened widened) {
        Map<ColumnSpec, String> notes = new LinkedHashMap<>();
        if (isOverlap(table) || isIterations(table)) {
            table.schema().columns().forEach(spec -> notes.put(spec, ""));
            return notes;
        }
        for (ColumnSpec spec : sheet(widened.all(), table.name())) {
            notes.put(spec, "");
        }
        table.schema().columns().forEach(spec -> notes.putIfAbsent(spec, " Not with `--group-by-module`."));
        widened.adding().forEach((option, tables) -> {
            for (ColumnSpec spec : sheet(tables, table.name())) {
                if (!table.schema().columns().contains(spec)) {
                    notes.put(spec, " Only with `" + option + "`.");
                }
            }
        });
        return notes;
    }

    /**
     * The sheets with what adds columns.
     *
     * @param all with everything that does
     * @param adding with each option by itself
     */
    private record Widened(List<Table> all, Map<String, List<Table>> adding) {
        static Widened of(Trace trace) {
            ReportOptions.Operators all = new ReportOptions.Operators(true, true, true, true, false);
            Map<String, ReportOptions> options = new LinkedHashMap<>(OPTIONS);
            options.put("--baseline", ReportOptions.standard().withBaseline(trace));
            Map<String, List<Table>> adding = new LinkedHashMap<>();
            options.forEach((option, chosen) ->
                    adding.put(option, PerformanceReport.of(trace, chosen).tables()));
            return new Widened(
                    PerformanceReport.of(trace, options(true, all).withBaseline(trace))
                            .tables(),
                    adding);
        }
    }

    private static List<ColumnSpec> sheet(List<Table> tables, String name) {
        return tables.stream()
                .filter(t -> t.name().equals(name))
                .flatMap(t -> t.schema().columns().stream())
                .toList();
    }

    private static String holds(ColumnSpec spec) {
        return switch (spec.type()) {
            case LONG -> spec.unit() == spec.shown() ? "integer" : "exact decimal";
            case DOUBLE -> "number";
            case BOOL -> "true or false";
            case STRING -> "text";
            case JSON -> "JSON";
            case ARGUMENTS -> "JSON array";
        };
    }

    private static ReportOptions options(boolean recompute, ReportOptions.Operators operators) {
        return ReportOptions.standard()
                .with(new ReportOptions.Times(-1, true, recompute, null))
                .with(operators);
    }
}
