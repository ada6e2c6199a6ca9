// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One question has one answer, whichever command is asked: every number that two commands give about the same three ranks of
 * two configurations. Copies and activity of no known class are on some ranks only, and in one configuration only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedQuantitiesTest {
    private static final List<String> ROWS = List.of("256thread", "512thread");
    private static final int RANKS = 3;
    private static final int STEPS = 4;
    private static final Pattern NUMBERS_OF_STEPS = Pattern.compile("\"steps\":\\[([^\\]]+)]");
    private static final Pattern PROFILER_STEP = Pattern.compile("ProfilerStep#(\\d+)");
    private static final List<String> PARTS = List.of(
            "computation_time",
            "exposed_comm_time",
            "exposed_memcpy_time",
            "exposed_other_time",
            "busy_time",
            "idle_time",
            "total_time",
            "total_comm_time",
            "total_memcpy_time");
    private static final Map<String, String> SHARES = Map.of(
            "computation ms", "computation_time",
            "exposed communication ms", "exposed_comm_time",
            "exposed copies ms", "exposed_memcpy_time",
            "exposed other ms", "exposed_other_time",
            "idle ms", "idle_time",
            "busy ms", "busy_time",
            "total time ms", "total_time");

    /** By question, then by who answers. */
    private final Map<String, Map<String, Double>> answers = new TreeMap<>();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private static Path folder;

    @BeforeAll
    void ask() throws IOException {
        Path sweep = folder.resolve("sweep");
        for (String row : ROWS) {
            for (int rank = 0; rank < RANKS; rank++) {
                write(sweep.resolve(row + "/nccl_28channels"), row, rank);
                write(folder.resolve(row + "_28ch"), row, rank);
            }
        }
        for (String row : ROWS) {
            reports(row);
            collectives(row);
        }
        configurations();
        sweep(sweep);
        for (String marks : List.of("profiler", "sglang", "vllm", "named for a pass")) {
            steps(marks);
        }
    }

    @ParameterizedTest
    @MethodSource("questions")
    void oneQuestionHasOneAnswer(String question) {
        Map<String, Double> given = answers.getOrDefault(question, Map.of());

        assertThat(commands(given)).hasSizeGreaterThan(1);
        double first = given.values().iterator().next();
        assertThat(given)
                .allSatisfy((who, answer) ->
                        assertThat(answer).isCloseTo(first, within(1e-9 * Math.max(1, Math.abs(first)))));
    }

    List<String> questions() {
        List<String> shared = new ArrayList<>();
        answers.forEach((question, given) -> {
            if (commands(given).size() > 1) {
                shared.add(question);
            }
        });
        return shared;
    }

    @Test
    void everyPartIsAskedOfAllThatKnowIt() {
        for (String part : PARTS) {
            assertThat(commands(answers.getOrDefault("256thread mean " + part + " ms", Map.of())))
                    .as(part)
                    .contains("report", "config report", "config compare", "sweep all", "sweep all --skip-reports");
            assertThat(answers.get("256thread rank 1 " + part + " ms")).as(part).hasSizeGreaterThan(4);
        }
        assertThat(answers.getOrDefault("256thread mean exposed_other_time ms", Map.of())
                        .get("report: by hand"))
                .isCloseTo(0.05, within(1e-12));
        assertThat(questions()).hasSizeGreaterThan(200);
    }

    /** How steps are marked must not matter, nor which command is asked. */
    @ParameterizedTest
    @ValueSource(strings = {"profiler", "sglang", "vllm", "named for a pass"})
    void everyCommandCountsTheSameSteps(String marks) {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(commands(answers.getOrDefault("steps by " + marks + ", rank " + rank, Map.of())))
                    .contains("info", "report", "report DIR", "fleet", "stragglers", "sql", "split");
            assertThat(answers.get("steps by " + marks + ", rank " + rank))
                    .allSatisfy((who, count) -> assertThat(count).isEqualTo((double) STEPS));
        }
    }

    /** What a run gains without its slow rank: findings of four commands, and the edit that says the same. */
    @Test
    void everyCommandGivesOneGain() throws IOException {
        Path traces = folder.resolve("slow");
        SyntheticRun.write(
                traces,
                SyntheticTraces.smallRecipe(4).withSteps(6).withStraggler(new Straggler(2, Straggler.Kind.DEVICE, 1.3)),
                Layout.flat());
        Map<String, Double> gains = new TreeMap<>();
        for (String command : List.of("report", "collectives", "fleet", "stragglers")) {
            Path json = folder.resolve("slow-" + command + ".json");
            run(command, traces, "--json", json);
            gains.put(command, gain(json, 2));
        }
        Path csv = folder.resolve("slow-csv");
        run("collectives", traces, "--what-if", "rank:2=median;rank:2:host=median", "--csv", csv);
        gains.put("--what-if", lines(csv, "what_if").getFirst().number("gain_us") * 1000);

        assertThat(gains.get("report")).isPositive();
        assertThat(gains.values()).allSatisfy(gain -> assertThat(gain).isCloseTo(gains.get("report"), within(1.0)));
    }

    /** The largest gain that a report claims of a rank. */
    private static double gain(Path json, int rank) throws IOException {
        double most = 0;
        Members report = (Members) Json.parse(Files.readString(json));
        for (Json one : ((Json.Items) report.members().get("findings")).items()) {
            Members finding = (Members) one;
            boolean mine = finding.members().get("subject") instanceof Members subject
                    && subject.members().get("rank") instanceof Json.Numeral of
                    && of.value() == rank;
            if (mine && finding.members().get("gain_ns") instanceof Json.Numeral gain) {
                most = Math.max(most, gain.value());
            }
        }
        return most;
    }

    private static List<String> commands(Map<String, Double> given) {
        return given.keySet().stream()
                .map(who -> who.contains(":") ? who.substring(0, who.indexOf(':')) : who)
                .distinct()
                .toList();
    }

    /** Parts that are not listed took no time. */
    private void reports(String row) throws IOException {
        double[][] times = new double[PARTS.size()][RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
            Path csv = folder.resolve("csv/" + row + rank);
            run("report", trace(folder.resolve(row + "_28ch"), rank), "--csv", csv);
            for (Line line : lines(csv, "gpu_timeline")) {
                int part = PARTS.indexOf(line.text("type"));
                times[part][rank] = line.number("time ms");
                answer(row + " rank " + rank + " " + PARTS.get(part) + " %", "report", line.number("percent"));
            }
            for (int part = 0; part < PARTS.size(); part++) {
                answer(row + " rank " + rank + " " + PARTS.get(part) + " ms", "report", times[part][rank]);
            }
        }
        for (int part = 0; part < PARTS.size(); part++) {
            byHand(row, PARTS.get(part), times[part], times[PARTS.indexOf("total_time")]);
        }
        run(
                "compare",
                folder.resolve("csv/256thread0"),
                folder.resolve("csv/" + row + "0"),
                "--names",
                "a,b",
                "--csv",
                folder.resolve("csv/compare" + row));
        sideBySide(row, 0, "b", folder.resolve("csv/compare" + row), "compare");
    }

    private void byHand(String row, String part, double[] ms, double[] totals) {
        double mean = Arrays.stream(ms).average().orElseThrow();
        double[] sorted = Arrays.stream(ms).sorted().toArray();
        double squares = Arrays.stream(ms).map(v -> (v - mean) * (v - mean)).sum();
        double[] positive = Arrays.stream(ms).filter(v -> v > 0).toArray();
        Map<String, Double> known = Map.of(
                "mean",
                mean,
                "median",
                sorted[1],
                "min",
                sorted[0],
                "max",
                sorted[2],
                "std",
                Math.sqrt(squares / (RANKS - 1)),
                "geometric mean",
                positive.length == 0
                        ? 0
                        : Math.exp(DoubleStream.of(positive)
                                .map(Math::log)
                                .average()
                                .orElseThrow()));
        known.forEach((what, value) -> answer(row + " " + what + " " + part + " ms", "report: by hand", value));
        answer(
                row + " share of means " + part + " %",
                "report: by hand",
                100 * mean / Arrays.stream(totals).average().orElseThrow());
        answer(row + " zeros " + part, "report: by hand", RANKS - positive.length);
    }

    private void collectives(String row) throws IOException {
        Path csv = folder.resolve("csv/collectives" + row);
        run("collectives", folder.resolve(row + "_28ch/torch_profiler"), "--csv", csv);
        summed(row, csv, "collectives");
    }

    private void summed(String row, Path report, String who) throws IOException {
        double total = 0;
        double count = 0;
        for (Line line : lines(report, "nccl_summary_implicit_sync")) {
            collective(row, line, who, "comm_latency", "skew in start time");
            total += line.number("Total comm latency (ms)");
            count += line.number("count");
        }
        answer(row + " collectives: count", who, count);
        answer(row + " collectives: total ms", who, total);
        for (Line line : lines(report, "nccl_groups")) {
            answer(row + " collectives: count", who + ": groups", line.number("count"));
            answer(row + " collectives: total ms", who + ": groups", line.number("Total comm latency (ms)"));
        }
    }

    private void collective(String row, Line line, String who, String latency, String skew) {
        String key = row + " allreduce of " + (long) line.number("In msg nelems") + ": ";
        for (String statistic : List.of("mean", "median", "min", "max")) {
            answer(key + statistic + " latency µs", who, line.number(latency + "_" + statistic));
        }
        answer(key + "mean skew µs", who, line.number(skew + "_mean"));
        answer(key + "count", who, line.number("count"));
        answer(key + "total ms", who, line.number("Total comm latency (ms)"));
        for (String statistic : List.of("mean", "median", "min", "max")) {
            answer(key + statistic + " bus bandwidth", who, line.number("bus bw (GB/s)_" + statistic));
            answer(key + statistic + " end skew µs", who, line.number(skew.replace("start", "end") + "_" + statistic));
        }
    }

    /** The same run of two ranks, whose steps are marked in one way or another. */
    private void steps(String marks) throws IOException {
        Path home = folder.resolve("steps by " + marks);
        Path run = Files.createDirectories(home.resolve("run"));
        TraceRecipe recipe = TraceRecipe.standard().withRanks(2).withLayers(1).withSteps(STEPS);
        for (int rank = 0; rank < 2; rank++) {
            String text = new String(SyntheticRun.bytes(recipe, rank), StandardCharsets.UTF_8);
            Files.writeString(
                    run.resolve("rank" + rank + ".json"),
                    PROFILER_STEP.matcher(text).replaceAll(mark -> markOf(marks, mark.group(1))));
        }
        for (String command : List.of("report", "stragglers", "fleet")) {
            run(command, run, "--csv", home.resolve(command));
        }
        run("sql", run, "SELECT rank, count(*) AS n FROM steps GROUP BY rank", "--csv=" + home.resolve("sql/n.csv"));
        for (int rank = 0; rank < 2; rank++) {
            String question = "steps by " + marks + ", rank " + rank;
            Path trace = run.resolve("rank" + rank + ".json");
            run("info", trace, "--json");
            Matcher numbers = NUMBERS_OF_STEPS.matcher(out.toString());
            answer(question, "info", numbers.find() ? numbers.group(1).split(",").length : Double.NaN);
            run("split", trace, "-o", home.resolve("split" + rank));
            answer(
                    question,
                    "split",
                    lines(home.resolve("split" + rank), "iterations").size());
            Path own = home.resolve("report/rank" + rank);
            answer(question, "report", lines(own, "gpu_timeline_by_step").size());
            answer(question, "report: parts", lines(own, "step_parts").size() - 1);
            answer(question, "report: launches", lines(own, "launches_by_step").size() - 1);
            answer(
                    question,
                    "stragglers",
                    lines(home.resolve("stragglers"), "straggler_steps").size());
            answer(
                    question,
                    "fleet",
                    lines(home.resolve("fleet"), "fleet_steps").size());
            of(home.resolve("report"), "ranks", rank, question, "report DIR", "steps");
            of(home.resolve("sql"), "n", rank, question, "sql", "n");
        }
    }

    private void of(Path report, String sheet, int rank, String question, String who, String column)
            throws IOException {
        for (Line line : lines(report, sheet)) {
            if (line.number("rank") == rank) {
                answer(question, who, line.number(column));
            }
        }
    }

    private static String markOf(String marks, String number) {
        return switch (marks) {
            case "sglang" -> "step[DECODE bs=" + number + "]";
            case "vllm" -> "execute_context_0(0)_generation_" + number + "(" + number + ")";
            case "named for a pass" -> "batch " + number;
            default -> "ProfilerStep#" + number;
        };
    }

    private void configurations() throws IOException {
        for (String row : ROWS) {
            Path home = folder.resolve(row + "_28ch");
            run("config", "report", home);
            run("config", "report", home, "--geo-mean");
            Path analysis = home.resolve("lockstep_reports");
            summary(row, analysis.resolve("gpu_timeline_summary_mean.xlsx"), "mean");
            summary(row, analysis.resolve("gpu_timeline_summary_geomean.xlsx"), "geometric mean");
            summed(row, analysis.resolve("collective_reports/collective_all_ranks.xlsx"), "config report");
        }
        for (String mean : List.of("mean", "geometric mean")) {
            Path made = folder.resolve("compared " + mean);
            List<Object> line = new ArrayList<>(List.of("config", "compare", "--skip-reports", "-o", made));
            line.addAll(List.of("--baseline", folder.resolve("256thread_28ch"), "--names", "256thread,512thread"));
            line.addAll(List.of("--test", folder.resolve("512thread_28ch")));
            line.addAll(mean.equals("mean") ? List.of() : List.of("--geo-mean"));
            run(line.toArray());
            compared(made.resolve("csv"), mean);
        }
    }

    private void summary(String row, Path book, String mean) throws IOException {
        for (Line line : lines(book, "Summary")) {
            String part = line.text("type");
            answer(row + " " + mean + " " + part + " ms", "config report", line.number("time ms"));
            answer(row + " zeros " + part, "config report: " + mean, line.number("zero_ranks"));
            for (String statistic : List.of("median", "std", "min", "max")) {
                answer(row + " " + statistic + " " + part + " ms", "config report", line.number(statistic + " ms"));
            }
            answer(row + " share of " + mean + "s " + part + " %", "config report", line.number("percent"));
        }
        for (Line line : lines(book, "All_Ranks_Combined")) {
            String what = row + " rank " + (int) line.number("rank") + " " + line.text("type");
            answer(what + " ms", "config report: all ranks", line.number("time ms"));
            answer(what + " %", "config report: all ranks", line.number("percent"));
        }
        for (int rank = 0; rank < RANKS; rank++) {
            for (Line line : lines(book, "Per_Rank_Time_ms")) {
                String what = row + " rank " + rank + " " + line.text("type");
                answer(what + " ms", "config report: by rank", line.number(Integer.toString(rank)));
            }
            for (Line line : lines(book, "Per_Rank_Percent")) {
                String what = row + " rank " + rank + " " + line.text("type");
                answer(what + " %", "config report: by rank", line.number(Integer.toString(rank)));
            }
        }
    }

    private void compared(Path csv, String mean) throws IOException {
        for (Line line : lines(csv, "timeline_spread")) {
            String row = line.text("configuration");
            String part = line.text("type");
            answer(row + " " + mean + " " + part + " ms", "config compare: spread", line.number(mean + " ms"));
            for (String statistic : List.of("median", "std", "min", "max")) {
                answer(row + " " + statistic + " " + part + " ms", "config compare", line.number(statistic + " ms"));
            }
            answer(row + " share of " + mean + "s " + part + " %", "config compare", line.number("% of total"));
            answer(row + " low end of mean " + part + " ms", "config compare", line.number("mean low ms"));
            answer(row + " high end of mean " + part + " ms", "config compare", line.number("mean high ms"));
        }
        for (Line line : lines(csv, "timeline_change")) {
            String part = line.text("type");
            answer("256thread " + mean + " " + part + " ms", "config compare: change", line.number("baseline time ms"));
            answer("512thread " + mean + " " + part + " ms", "config compare: change", line.number("test time ms"));
        }
        for (Line line : lines(csv, "timeline_change_by_rank")) {
            String what = " rank " + (int) line.number("rank") + " " + line.text("type") + " ms";
            answer("256thread" + what, "config compare", line.number("baseline time ms"));
            answer("512thread" + what, "config compare", line.number("test time ms"));
        }
        for (Line line : lines(csv, "configurations")) {
            SHARES.forEach((head, part) -> {
                String own = head.equals("total time ms") ? head : part + " ms";
                String question = line.text("configuration") + " " + mean + " " + part + " ms";
                answer(question, "config compare: places", line.number(own));
            });
        }
        for (Line line : lines(csv, "summary_dashboard")) {
            for (String row : ROWS) {
                String question = switch (line.text("metric")) {
                    case "collectives: sum of latencies" -> row + " collectives: total ms";
                    default -> row + " " + mean + " " + line.text("metric") + " ms";
                };
                answer(question, "config compare: dashboard", line.number(row));
            }
        }
        for (Line line : lines(csv, "collective_spread")) {
            String key = line.text("configuration") + " allreduce of " + (long) line.number("In msg nelems") + ": ";
            for (String statistic : List.of("mean", "median", "min", "max")) {
                answer(key + statistic + " latency µs", "config compare", line.number("latency " + statistic + " us"));
            }
            answer(key + "mean skew µs", "config compare", line.number("skew of starts mean us"));
            answer(key + "count", "config compare", line.number("count"));
            answer(key + "total ms", "config compare", line.number("total latency ms"));
        }
    }

    private void sweep(Path sweep) throws IOException {
        Path analysis = sweep.resolve("lockstep_reports");
        run("sweep", "report", sweep);
        acrossThreads(analysis, "sweep report");
        run("sweep", "all", sweep, "--no-merge");
        acrossThreads(analysis, "sweep all");
        summarised(analysis, "sweep all", "mean");
        run("sweep", "all", sweep, "--skip-reports");
        summarised(analysis, "sweep all --skip-reports", "mean");
        run("sweep", "all", sweep, "--skip-reports", "--geo-mean");
        summarised(analysis, "sweep all --skip-reports", "geometric mean");
    }

    private void acrossThreads(Path analysis, String who) throws IOException {
        for (int rank = 0; rank < RANKS; rank++) {
            Path book = analysis.resolve("comparisons/compare_28ch_rank" + rank + "_across_threads.xlsx");
            for (String row : ROWS) {
                sideBySide(row, rank, row, book, who);
            }
        }
    }

    private void sideBySide(String row, int rank, String name, Path report, String who) throws IOException {
        for (Line line : lines(report, "gpu_timeline")) {
            String what = row + " rank " + rank + " " + line.text("type") + " ms";
            answer(what, who + ": side by side", line.number(name + "::time ms"));
        }
        for (Line line : lines(report, "overview")) {
            if (line.text("report").equals(name)) {
                SHARES.forEach((head, part) -> {
                    String what = row + " rank " + rank + " " + part + " ms";
                    answer(what, who + ": overview", line.number(head));
                });
            }
        }
        for (String sheet : List.of("ops_summary", "kernel_summary")) {
            for (Line line : lines(report, sheet)) {
                String key = sheet.equals("ops_summary") ? "name" : "Kernel name";
                String what = row + " rank " + rank + " " + line.text(key) + ": ";
                answer(what + "time ms", who, line.number(name + "::time ms"));
                answer(what + "count", who, line.number(name + "::count"));
            }
        }
    }

    private void summarised(Path analysis, String who, String mean) throws IOException {
        Path book =
                analysis.resolve("gpu_timeline_all_configs_" + (mean.equals("mean") ? "mean" : "geomean") + ".xlsx");
        for (Line line : lines(book, "All_Data")) {
            String row = line.text("full_config").replace("_28ch", "");
            String part = line.text("type");
            answer(row + " " + mean + " " + part + " ms", who + ": data", line.number("time ms"));
            answer(row + " share of " + mean + "s " + part + " %", who, line.number("percent"));
            answer(row + " zeros " + part, who, line.number("zero_ranks"));
            for (String statistic : List.of("std", "min", "max")) {
                answer(row + " " + statistic + " " + part + " ms", who, line.number(statistic + " ms"));
            }
            answer(row + " low end of mean " + part + " ms", who, line.number("mean ci95 low ms"));
            answer(row + " high end of mean " + part + " ms", who, line.number("mean ci95 high ms"));
        }
        for (String row : ROWS) {
            for (Line line : lines(book, "Pivot_Time_ms")) {
                String question = row + " " + mean + " " + line.text("type") + " ms";
                answer(question, who + ": pivot", line.number(row + "_28ch"));
            }
            for (Line line : lines(book, "Pivot_Percent")) {
                String question = row + " share of " + mean + "s " + line.text("type") + " %";
                answer(question, who + ": pivot", line.number(row + "_28ch"));
            }
        }
        for (Line line : lines(book, "Summary_By_Config")) {
            String row = line.text("full_config").replace("_28ch", "");
            for (String part : PARTS) {
                answer(row + " " + mean + " " + part + " ms", who + ": summary", line.number(part + "_ms"));
            }
        }
        for (Line line : lines(book, "ranking")) {
            String row = line.text("full_config").replace("_28ch", "");
            answer(row + " mean total_time ms", who + ": ranking", line.number("time ms"));
        }
        Path collectives = analysis.resolve("nccl_master_all_configs.xlsx");
        for (Line line : lines(collectives, "NCCL_Data")) {
            String row = line.text("full_config").replace("_28ch", "");
            collective(row, line, who, "comm_latency (µs)", "skew in start time (µs)");
        }
        for (Line line : lines(collectives, "NCCL_By_Config")) {
            String row = line.text("full_config").replace("_28ch", "");
            answer(row + " collectives: count", who, line.number("count"));
            answer(row + " collectives: total ms", who, line.number("Total comm latency (ms)"));
        }
    }

    /** A cell that is missing or not there is no answer. */
    private void answer(String question, String who, double value) {
        if (!Double.isNaN(value)) {
            answers.computeIfAbsent(question, q -> new TreeMap<>()).put(who, value);
        }
    }

    private void run(Object... arguments) {
        assertThat(TestProgram.run(out, err, arguments)).as(err.toString()).isZero();
    }

    private record Line(Table table, int row) {
        String text(String head) {
            int column = table.schema().indexOf(head);
            return table.columns().get(column) instanceof StringColumn texts
                    ? String.valueOf(texts.get(row))
                    : String.valueOf(table.shown(column, row));
        }

        double number(String head) {
            int column = table.schema().indexOf(head);
            return column < 0 || table.columns().get(column) instanceof StringColumn
                    ? Double.NaN
                    : table.shown(column, row);
        }
    }

    private static List<Line> lines(Path report, String sheet) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Table table :
                ReportFiles.read(report, "", SheetTable.PLAIN, sheet::equals).tables()) {
            for (int row = 0; row < table.rows(); row++) {
                lines.add(new Line(table, row));
            }
        }
        return lines;
    }

    private static Path trace(Path configuration, int rank) {
        return configuration.resolve("torch_profiler/rank" + rank + "/trace.json");
    }

    /**
     * Two matrix products, two collectives of different sizes, twice each; copies on rank 0 of both, activity of no known
     * class on rank 1 of the first configuration: 150 µs.
     */
    private static void write(Path configuration, String row, int rank) throws IOException {
        boolean first = row.equals("256thread");
        int slower = first ? 0 : 30;
        List<String> events = new ArrayList<>();
        launched(events, 1, 0, 100 + 10 * rank + slower, "gemm_a");
        collective(events, 1, 120 + 5 * rank, 60 - 5 * rank + slower / 3.0, 1024);
        launched(events, 2, 300, 200 - 20 * rank, "gemm_b");
        collective(events, 2, 450 + 7 * rank, 90 - 7 * rank, 4096);
        collective(events, 3, 600 + 3 * rank, 70 - 3 * rank + slower, 1024);
        collective(events, 4, 720 + rank, 80 - rank, 4096);
        if (rank == 0) {
            events.add("{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD\",\"pid\":0,\"tid\":9,\"ts\":850,"
                    + "\"dur\":40,\"args\":{\"device\":0,\"stream\":9,\"bytes\":4096}}");
        }
        if (first && rank == 1) {
            events.add("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"Stream Wait Event\",\"pid\":0,\"tid\":9,\"ts\":900,"
                    + "\"dur\":150,\"args\":{\"device\":0,\"stream\":9}}");
        }
        Path file = trace(configuration, rank);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":" + rank + ",\"world_size\":" + RANKS
                        + "},\"traceEvents\":[" + String.join(",\n", events) + "]}");
    }

    private static void launched(List<String> events, int id, double ts, double dur, String kernel) {
        events.add("{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":" + ts
                + ",\"dur\":20,\"args\":{\"External id\":" + id + "}}");
        events.add("{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":"
                + (ts + 1) + ",\"dur\":2,\"args\":{\"External id\":" + id + ",\"correlation\":" + id + "}}");
        events.add(String.format(
                Locale.ROOT,
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%s,\"dur\":%s,"
                        + "\"args\":{\"device\":0,\"stream\":7,\"External id\":%d,\"correlation\":%d}}",
                kernel,
                ts + 5,
                dur,
                id,
                id));
    }

    private static void collective(List<String> events, int sequence, double ts, double dur, int elements) {
        events.add(String.format(
                Locale.ROOT,
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"pid\":0,"
                        + "\"tid\":20,\"ts\":%s,\"dur\":%s,\"args\":{\"device\":0,\"stream\":20,"
                        + "\"Collective name\":\"allreduce\",\"dtype\":\"Float\",\"In msg nelems\":%d,"
                        + "\"Out msg nelems\":%d,\"Group size\":%d,\"Process Group Name\":\"0\","
                        + "\"Process Group Ranks\":\"[0, 1, 2]\",\"Seq\":%d}}",
                ts,
                dur,
                elements,
                elements,
                RANKS,
                sequence));
    }
}
