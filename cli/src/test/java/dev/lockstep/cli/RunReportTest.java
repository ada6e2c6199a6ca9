// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.Browser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lockstep report} of all ranks of a run: one page for the run that leads to those of its ranks, and back. */
class RunReportTest {
    private static final int LATE = 2;
    private static final int RANKS = 4;
    private static final TraceRecipe RECIPE =
            SyntheticTraces.smallRecipe(RANKS).withSteps(6).withStraggler(LATE, 1.4);

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        String[] words = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
    }

    private Path traces(String... names) throws IOException {
        Path traces = folder.resolve("run");
        for (int rank = 0; rank < names.length; rank++) {
            Path file = traces.resolve(names[rank]);
            Files.createDirectories(file.getParent());
            Files.write(file, SyntheticRun.bytes(RECIPE, rank));
        }
        return traces;
    }

    private Path flat() throws IOException {
        return traces("rank0.json", "rank1.json", "rank2.json", "rank3.json");
    }

    @Test
    void aFolderHasAReportOfTheRunAndOneOfEachRank() throws IOException {
        Path to = folder.resolve("out");
        assertThat(run("report", flat(), "-o", to)).as(err::toString).isZero();
        assertThat(out.toString())
                .contains(
                        "Performance of 4 ranks",
                        "Straggler-bound: rank 2 costs ",
                        "wrote " + to.resolve("report.html"));
        assertThat(to.resolve("report.html")).isRegularFile();
        assertThat(to.resolve("csv/straggler_summary.csv")).isRegularFile();
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(to.resolve("rank" + rank + "/report.html")).isRegularFile();
            assertThat(to.resolve("rank" + rank + "/report.xlsx")).isRegularFile();
            assertThat(to.resolve("csv/rank" + rank + "/gpu_timeline.csv")).isRegularFile();
        }
    }

    @Test
    void besideAStreamNothingIsWrittenOfRanks() throws IOException {
        assertThat(run("report", flat(), "--json-summary", "/dev/null"))
                .as(err::toString)
                .isZero();
        assertThat(Path.of("/dev/null_ranks")).doesNotExist();
        assertThat(out.toString()).doesNotContain("and the same of each rank");
    }

    @Test
    void sheetsOfHtaHaveTheRowsOfAllRanks() throws IOException {
        Path to = folder.resolve("out");
        Path traces = flat();
        String[] options = {"--critical-path=all", "--kernel-sequences", "aten::,1", "--queue-limit", "1"};

        assertThat(run(Stream.concat(Stream.of("report", traces, "--csv", to), Stream.of(options))
                        .toArray()))
                .as(err::toString)
                .isZero();

        Map<String, List<String>> expected = new TreeMap<>();
        Map<String, BigDecimal> kinds = new TreeMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            Path alone = folder.resolve("alone" + rank);
            run(Stream.concat(
                            Stream.of("report", traces.resolve("rank" + rank + ".json"), "--csv", alone),
                            Stream.of(options))
                    .toArray());
            for (Path sheet : sheets(alone)) {
                List<String> lines = Files.readAllLines(sheet);
                String front = lines.getFirst().contains("rank") ? "" : "rank,";
                expected.computeIfAbsent(name(sheet), s -> new ArrayList<>(List.of(front + lines.getFirst())))
                        .addAll(lines.stream()
                                .skip(1)
                                .map(front.isEmpty() ? line -> line : (rank + ",")::concat)
                                .toList());
            }
            Files.readAllLines(alone.resolve(KINDS)).stream().skip(1).forEach(line -> {
                String[] cells = line.split(",");
                kinds.merge(cells[0], new BigDecimal(cells[1]), BigDecimal::add);
            });
        }
        assertThat(expected).hasSizeGreaterThan(15).containsKey("hta_critical_path.csv");
        for (Path sheet : sheets(to)) {
            if (!name(sheet).equals(KINDS) && !name(sheet).equals("hta_not_applicable.csv")) {
                assertThat(sheet).hasContent(String.join("\n", expected.get(name(sheet))));
            }
        }
        assertThat(sheets(to)).extracting(RunReportTest::name).containsExactlyElementsOf(expected.keySet());
        BigDecimal all = kinds.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        List<String> rows = Files.readAllLines(to.resolve(KINDS));
        assertThat(rows).hasSize(kinds.size() + 1);
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",");
            assertThat(new BigDecimal(cells[1])).isEqualByComparingTo(kinds.get(cells[0]));
            assertThat(Double.parseDouble(cells[2]))
                    .isCloseTo(100 * kinds.get(cells[0]).doubleValue() / all.doubleValue(), within(1e-9));
        }
        assertThat(to.resolve("rank2")).isDirectoryNotContaining("glob:**hta_*");
    }

    private static final String KINDS = "hta_kernel_type_breakdown.csv";

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static List<Path> sheets(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> name(file).startsWith("hta_")).sorted().toList();
        }
    }

    /** What is asked about paths is answered for the run as for each rank; the run's stand before everything else. */
    @ParameterizedTest
    @ValueSource(strings = {"all", "step"})
    void pathsOfTheRunAreThoseThatCollectivesFind(String window) throws IOException {
        Path to = folder.resolve("out");
        Path together = folder.resolve("together");
        Path traces = flat();
        String asked = "--critical-path=" + window;
        assertThat(run("report", traces, "--csv", to, asked, "--what-if", "host=x0.5"))
                .as(err::toString)
                .isZero();
        assertThat(run("collectives", traces, "--csv", together, asked, "--what-if", "host=x0.5"))
                .isZero();
        for (String sheet :
                List.of("critical_path.csv", "opportunities.csv", "what_if.csv", "dependency_quality.csv")) {
            assertThat(to.resolve(sheet)).hasSameTextualContentAs(together.resolve(sheet));
            assertThat(to.resolve("rank1").resolve(sheet)).isRegularFile();
        }
        Path page = folder.resolve("page.html");
        run("report", traces, "--html", page, asked);
        String html = Files.readString(page);
        assertThat(html.indexOf("Opportunities")).isPositive();
        assertThat(html.indexOf("Opportunities")).isLessThan(html.indexOf("Ranks, in numbers"));
    }

    @Test
    void numbersOfTheRunAreThoseOfItsRanks() throws IOException {
        Path to = folder.resolve("out");
        run("report", flat(), "--csv", to);
        List<String> ranks = Files.readAllLines(to.resolve("ranks.csv"));
        assertThat(ranks).hasSize(1 + RANKS);
        List<String> head = Arrays.asList(ranks.getFirst().split(","));
        for (int rank = 0; rank < RANKS; rank++) {
            List<String> cells = Arrays.asList(ranks.get(1 + rank).split(","));
            String timeline = Files.readString(to.resolve("rank" + rank + "/gpu_timeline.csv"));
            assertThat(timeline)
                    .contains("\ncomputation_time," + cells.get(head.indexOf("computation ms")) + ",")
                    .contains("\nexposed_comm_time," + cells.get(head.indexOf("exposed comm ms")) + ",")
                    .contains("\nidle_time," + cells.get(head.indexOf("idle ms")) + ",");
        }
        List<String> steps = Files.readAllLines(to.resolve("rank_steps.csv"));
        assertThat(steps).hasSize(1 + RANKS * 6);
        assertThat(steps.stream().skip(1).filter(line -> line.startsWith(LATE + ",")))
                .as("the late rank takes longer in every step")
                .allMatch(line -> Double.parseDouble(line.split(",")[2]) > 0);
    }

    @Test
    void otherLayoutsAreTheSameRun() throws IOException {
        Path flat = folder.resolve("flat");
        Path nested = folder.resolve("nested");
        assertThat(run("report", flat(), "--csv", flat)).isZero();
        Path run = folder.resolve("run");
        for (int rank = 0; rank < RANKS; rank++) {
            Files.createDirectories(run.resolve("torch_profiler/rank" + rank));
            Files.move(
                    run.resolve("rank" + rank + ".json"),
                    run.resolve("torch_profiler/rank" + rank + "/step_6.pt.trace.json"));
        }
        assertThat(run("report", run, "--csv", nested)).isZero();
        assertThat(nested.resolve("ranks.csv")).hasSameTextualContentAs(flat.resolve("ranks.csv"));
        assertThat(run("report", run.resolve("torch_profiler/rank*/*.json"), "--csv", nested))
                .isZero();
        assertThat(nested.resolve("rank_steps.csv")).hasSameTextualContentAs(flat.resolve("rank_steps.csv"));
    }

    @Test
    void tracesThatDoNotSayWhoseTheyAreAreNumberedInOrder() throws IOException {
        Path traces = folder.resolve("run");
        Files.createDirectories(traces);
        for (int rank = 0; rank < 2; rank++) {
            String text = new String(SyntheticRun.bytes(RECIPE, rank), StandardCharsets.UTF_8)
                    .replace("\"distributedInfo\"", "\"somethingElse\"");
            Files.writeString(traces.resolve(rank == 0 ? "a.json" : "b.json"), text);
        }
        Path to = folder.resolve("out.html");
        assertThat(run("report", traces, "--html", to)).as(err::toString).isIn(ExitStatus.COMPLETE, ExitStatus.PARTIAL);
        assertThat(folder.resolve("out_ranks/rank0.html")).content().contains("Performance of rank 0");
        Path page = folder.resolve("out_ranks/rank1.html");
        assertThat(page).content().contains("Performance of rank 1");
        assertThat(data(page)).contains("\"run\":\"./../out.html\"");
    }

    /** What a page holds; long data are packed. */
    private static String data(Path page) throws IOException {
        Matcher data = Pattern.compile("id=\"data\">([^<]*)<").matcher(Files.readString(page));
        assertThat(data.find()).isTrue();
        if (data.group(1).startsWith("{")) {
            return data.group(1);
        }
        byte[] packed = Base64.getDecoder().decode(data.group(1));
        try (InputStream text = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void thePageLeadsToRanksAndTheseBack() throws Exception {
        Path to = folder.resolve("out");
        run("report", flat(), "-o", to);
        String page = Browser.open(to.resolve("report.html"));
        assertThat(page).doesNotContain("data-error");
        Matcher late = Pattern.compile("href=\"\\./(rank2/report\\.html)(#timeline&amp;at=[0-9]+-[0-9]+)\"")
                .matcher(page);
        assertThat(late.find())
                .as("the finding leads to the moment on the page of the rank")
                .isTrue();
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(page).contains("href=\"./rank" + rank + "/report.html\"");
        }
        assertThat(page.split("leads-on", -1))
                .as("a cell for each step of each rank leads on")
                .hasSizeGreaterThan(6 * RANKS);

        String rank = Browser.open(to.resolve(late.group(1)), late.group(2).replace("&amp;", "&"));
        assertThat(rank)
                .contains(
                        "Performance of rank 2", "selected", "href=\"./../report.html#rank/2\"", "‹ rank 1", "rank 3 ›")
                .contains("data-view=\"")
                .doesNotContain("data-error");

        assertThat(Browser.open(to.resolve("report.html"), "#rank/2"))
                .containsPattern("class=\"label reached\"[^>]*data-place=\"rank/2\"")
                .doesNotContain("data-error");
    }

    @Test
    void configReportTakesAPlainFolderOfTraces() throws IOException {
        Path traces = flat();
        assertThat(run("config", "report", traces)).as(err::toString).isZero();
        Path reports = traces.resolve("lockstep_reports");
        assertThat(reports.resolve("individual_reports/perf_rank3.xlsx")).isRegularFile();
        assertThat(reports.resolve("collective_reports/collective_all_ranks.xlsx"))
                .isRegularFile();
        assertThat(run("config", "report", Files.createDirectory(folder.resolve("empty"))))
                .isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("this folder is empty");
    }

    @Test
    void aMissingRankIsSaidAndTheRestIsThere() throws IOException {
        Path traces = flat();
        Files.delete(traces.resolve("rank1.json"));
        Path to = folder.resolve("out");
        assertThat(run("report", traces, "-o", to)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(to.resolve("rank1")).doesNotExist();
        assertThat(to.resolve("csv/coverage.csv")).content().contains("1,missing");
        assertThat(run("report", traces, "-o", to, "--allow-partial")).isZero();
    }

    @Test
    void theSameBytesWithOneThreadAndWithEight() throws IOException {
        Path traces = flat();
        run("report", traces, "-o", folder.resolve("one"), "--jobs", "1");
        run("report", traces, "-o", folder.resolve("eight"), "--jobs", "8");
        for (String file : List.of("report.html", "rank2/report.html", "csv/ranks.csv")) {
            assertThat(folder.resolve("one").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("eight").resolve(file));
        }
    }

    @Test
    void thePageIsAsLargeAsAsked() throws IOException {
        Path traces = traces("rank0.json");
        assertThat(run("report", traces, "--html", folder.resolve("usual.html")))
                .isZero();
        assertThat(run("report", traces, "--html", folder.resolve("same.html"), "--page-size", "8"))
                .isZero();
        assertThat(folder.resolve("same.html")).hasSameBinaryContentAs(folder.resolve("usual.html"));
        assertThat(run("report", traces, "--html", folder.resolve("x.html"), "--page-size", "0"))
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void oneTraceInAFolderIsExplainedByItself() throws IOException {
        Path to = folder.resolve("out");
        run("report", traces("rank0.json"), "-o", to);
        assertThat(to.resolve("report.html")).content().contains("Performance of rank 0");
        assertThat(to.resolve("rank0")).doesNotExist();
    }

    /** As that tool has one object for all ranks; values as of each rank alone, the time of kinds of kernels added up. */
    @Test
    void compatOfSeveralRanksHoldsAllOfThemAsHtaDoes() throws IOException {
        Path traces = flat();
        Path to = folder.resolve("out");
        assertThat(run("report", traces, "--compat", "hta", "-o", to, "--queue-limit", "2"))
                .as(err::toString)
                .isZero();
        assertThat(to).isDirectoryNotContaining("glob:**report*");
        Path sheets = to.resolve("csv");
        List<Path> alone = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            alone.add(folder.resolve("alone" + rank));
            Path trace = traces.resolve("rank" + rank + ".json");
            assertThat(run("report", trace, "--compat", "hta", "--csv", alone.get(rank), "--queue-limit", "2"))
                    .isZero();
        }
        List<Path> written = sheets(sheets);
        assertThat(written).hasSize(sheets(alone.getFirst()).size()).hasSizeGreaterThan(10);
        long micros = 0;
        for (Path sheet : written) {
            List<String> rows =
                    new ArrayList<>(List.of(Files.readAllLines(sheet).getFirst()));
            for (Path rank : alone) {
                List<String> own = Files.readAllLines(rank.resolve(name(sheet)));
                rows.addAll(own.subList(1, own.size()));
            }
            if (name(sheet).equals(KINDS)) {
                for (String row : rows.subList(1, rows.size())) {
                    micros += Long.parseLong(row.split(",")[1]);
                }
                assertThat(Files.readAllLines(sheet).stream()
                                .skip(1)
                                .mapToLong(row -> Long.parseLong(row.split(",")[1]))
                                .sum())
                        .isEqualTo(micros)
                        .isPositive();
            } else if (!name(sheet).equals("hta_not_applicable.csv")) {
                assertThat(sheet).hasContent(String.join("\n", rows));
            }
        }
        assertThat(run("report", traces, "--compat", "hta", "--html", folder.resolve("x.html")))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("nothing but CSV files");
    }

    @Test
    void whatIsAboutOneRankIsRefused() throws IOException {
        Path traces = flat();
        assertThat(run("report", traces, "--compat", "tracelens")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("report", traces, "--baseline", traces.resolve("rank0.json")))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("report", traces, "--overlay", folder.resolve("x.json"))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--compat is about one rank", "--baseline", "--overlay");
    }
}
