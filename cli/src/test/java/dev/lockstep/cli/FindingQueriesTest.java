// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.Straggler.Kind;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each finding brings a query, and the query answers: of reports with the very rows, of datasets with some. */
class FindingQueriesTest {
    /** These say that something is not known, or rest on the trace itself. */
    private static final Set<String> WITHOUT = Set.of("waits_not_recorded", "graph_launches", "repeating_section");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path run;

    @BeforeEach
    void writeRun() throws IOException {
        run = folder.resolve("run");
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4)
                .withClocks(400_000, 0)
                .withStraggler(new Straggler(2, Kind.DEVICE, 1.5, 1));
        SyntheticRun.write(run, recipe, Layout.flat());
    }

    private int lockstep(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private List<Members> findings(Path json) throws IOException {
        List<Members> found = new ArrayList<>();
        Members report = (Members) Json.parse(Files.readString(json));
        ((Json.Items) report.members().get("findings")).items().forEach(one -> found.add((Members) one));
        return found;
    }

    private static String text(Members finding, String name) {
        return finding.members().get(name) instanceof Json.Text text ? text.value() : "";
    }

    /** The rows that a finding names of a sheet, 1 where it names none. */
    private static long named(Members finding) {
        for (Json evidence : ((Json.Items) finding.members().get("evidence")).items()) {
            if (((Members) evidence).members().get("rows") instanceof Json.Items rows) {
                return rows.items().stream().distinct().count();
            }
        }
        return -1;
    }

    private void queriesAnswer(Object... command) throws IOException {
        Path sheets = folder.resolve("sheets");
        Path json = folder.resolve("report.json");
        List<Object> words = new ArrayList<>(List.of(command));
        Path columns = folder.resolve("columns");
        Path workbook = folder.resolve("report.xlsx");
        words.addAll(List.of("--csv", sheets, "--parquet", columns, "--xlsx", workbook, "--json", json));
        assertThat(lockstep(words.toArray())).isZero();
        Set<String> without = new TreeSet<>();
        for (Members finding : findings(json)) {
            String query = text(finding, "sql");
            if (query.isEmpty()) {
                without.add(text(finding, "code"));
                continue;
            }
            for (Path report : List.of(sheets, columns, workbook)) {
                assertThat(lockstep("sql", report, "SELECT count(*) FROM (" + query + ")", "--csv"))
                        .as(query + err)
                        .isZero();
                long rows = Long.parseLong(
                        out.toString().lines().skip(1).findFirst().orElse("-1"));
                long named = named(finding);
                assertThat(rows).as(query).isPositive();
                assertThat(named < 0 || rows == named)
                        .as(query + " has " + rows + " of " + named)
                        .isTrue();
            }
        }
        assertThat(WITHOUT).containsAll(without);
    }

    @Test
    void ofAReport() throws IOException {
        queriesAnswer("report", run.resolve("rank2_trace.json"));
    }

    @Test
    void ofCollectives() throws IOException {
        queriesAnswer("collectives", run);
    }

    @Test
    void ofAFleet() throws IOException {
        queriesAnswer("fleet", run, "--gpus-per-node", 2);
    }

    @Test
    void ofADataset() throws IOException {
        for (String level : List.of("full", "sketch")) {
            Path data = folder.resolve(level);
            assertThat(lockstep("dataset", run, "-o", data, "--run", "one", "--findings", "--level", level))
                    .isZero();
            assertThat(lockstep("dataset", run, "-o", data, "--run", "two", "--findings", "--level", level))
                    .isZero();
            assertThat(lockstep("sql", data, "SELECT run, rank, code, sql FROM findings", "--json"))
                    .isZero();
            Set<String> without = new TreeSet<>();
            Set<String> queries = new LinkedHashSet<>();
            for (Json one : ((Json.Items) Json.parse(out.toString())).items()) {
                Members finding = (Members) one;
                String query = text(finding, "sql");
                if (query.isEmpty()) {
                    without.add(text(finding, "code"));
                    continue;
                }
                queries.add(
                        "SELECT count(*) > 0 AND bool_and(run = '" + text(finding, "run") + "') FROM (" + query + ")");
            }
            // Together, as each command line looks at all files of the dataset.
            assertThat(lockstep("sql", data, String.join(" UNION ALL ", queries), "--csv"))
                    .as(queries + err.toString())
                    .isZero();
            assertThat(out.toString().lines().skip(1))
                    .as("%s", queries)
                    .hasSameSizeAs(queries)
                    .containsOnly("true");
            assertThat(WITHOUT).containsAll(without);
        }
    }
}
