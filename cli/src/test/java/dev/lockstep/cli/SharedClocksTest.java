// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far the clocks of ranks are apart has one answer, whichever command is asked: in ns and parts per million, by rank. */
class SharedClocksTest {
    private static final int RANKS = 4;
    private static final Pattern APART = Pattern.compile("clocks differ by up to (\\S+ \\S+), by");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    /** Data-parallel ranks, which collectives tie; stages of a pipeline, which messages alone do. */
    @ParameterizedTest
    @ValueSource(ints = {1, RANKS})
    void allCommandsSayTheSame(int stages) throws IOException {
        Path run = folder.resolve("run");
        TraceRecipe recipe = SyntheticTraces.smallRecipe(RANKS)
                .withModel(new TraceRecipe.Model(4, 512, 256, 1))
                .withSteps(8)
                .withClocks(3_000_000, 100);
        SyntheticRun.write(
                run,
                stages == 1
                        ? recipe
                        : recipe.withParallelism(
                                new Parallelism(stages, 1, 6, 1, Parallelism.Schedule.ONE_F_ONE_B, List.of())),
                Layout.flat());
        Map<String, double[][]> answers = new LinkedHashMap<>();
        run("collectives", run, "--csv", folder.resolve("collectives"));
        Matcher apart = APART.matcher(out.toString().replaceAll("\\s+", " "));
        assertThat(apart.find()).isTrue();
        answers.put("collectives", sheet(folder.resolve("collectives"), "clock_offsets", "offset us", "drift ppm"));
        run("stragglers", run, "--csv", folder.resolve("stragglers"));
        answers.put("stragglers", sheet(folder.resolve("stragglers"), "clock_offsets", "offset us", "drift ppm"));
        run("report", run, "--csv", folder.resolve("report"));
        answers.put("report", sheet(folder.resolve("report"), "clock_offsets", "offset us", "drift ppm"));
        run("fleet", run, "--csv", folder.resolve("fleet"));
        answers.put("fleet", sheet(folder.resolve("fleet"), "fleet_ranks", "clock_offset_us", "clock_drift_ppm"));
        run("sql", run, "SELECT rank, clock_offset_ns / 1000 AS o, clock_drift_ppm AS d FROM ranks", "--csv");
        answers.put("sql", rows(out.toString()));
        Path merged = folder.resolve("merged.json");
        run("merge", run, "-o", merged, "--align", "collectives");
        answers.put("merge", merged(merged));
        double[][] first = answers.get("collectives");
        answers.forEach((command, ranks) -> {
            for (int rank = 0; rank < RANKS; rank++) {
                assertThat(ranks[rank]).as(command + ", rank " + rank).hasSize(2);
                assertThat(ranks[rank][0]).as(command).isCloseTo(first[rank][0], within(0.0005));
                assertThat(ranks[rank][1]).as(command).isCloseTo(first[rank][1], within(1e-5));
            }
        });
        run("goal", "-i", run, "-o", folder.resolve("run.goal"));
        assertThat(out + " " + err).contains(apart.group(1) + " apart");
    }

    private void run(Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] texts = Arrays.stream(args).map(String::valueOf).toArray(String[]::new);
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), texts))
                .as("%s: %s %s", List.of(args), out, err)
                .isZero();
    }

    private static double[][] sheet(Path report, String sheet, String offset, String drift) throws IOException {
        double[][] found = new double[RANKS][];
        for (Table table :
                ReportFiles.read(report, "", SheetTable.PLAIN, sheet::equals).tables()) {
            for (int row = 0; row < table.rows(); row++) {
                found[(int) table.shown(table.schema().indexOf("rank"), row)] = new double[] {
                    table.shown(table.schema().indexOf(offset), row),
                    table.shown(table.schema().indexOf(drift), row)
                };
            }
        }
        return found;
    }

    private static double[][] rows(String csv) {
        double[][] found = new double[RANKS][];
        csv.lines()
                .skip(1)
                .map(line -> line.split(",", -1))
                .forEach(cells -> found[Integer.parseInt(cells[0])] =
                        new double[] {Double.parseDouble(cells[1]), Double.parseDouble(cells[2])});
        return found;
    }

    private static double[][] merged(Path file) throws IOException {
        double[][] found = new double[RANKS][];
        String text = Files.readString(file);
        String ranks = text.substring(text.indexOf("\"ranks\":[", text.indexOf("\"method\":\"collectives\"")));
        try (JsonParser json = new JsonFactory().createParser(ranks.substring(ranks.indexOf('[')))) {
            json.nextToken();
            while (json.nextToken() == JsonToken.START_OBJECT) {
                Map<String, String> line = new TreeMap<>();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    json.nextToken();
                    line.put(name, json.getText());
                }
                found[Integer.parseInt(line.get("rank"))] = new double[] {
                    Double.parseDouble(line.get("aheadNs")) / 1e3, Double.parseDouble(line.get("driftPpm"))
                };
            }
        }
        return found;
    }
}
