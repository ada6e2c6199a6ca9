// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.Goal;
import dev.lockstep.goal.model.Network;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/goal-files.md} names every column and every code; {@code docs/reference/schedule-tables.md} is what
 * columns say about themselves: rewrite it with {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class GoalFilesReferenceTest {
    private static final String FILES = "docs/reference/goal-files.md";
    private static final String SHEETS = "docs/reference/schedule-tables.md";
    private static final Pattern NOTE = Pattern.compile("\\.(?:assumed|lost)\\(\\s*\"([a-z_]+)\"");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    private static final String HEAD = """
        # The sheets of `lockstep goal report`

        Generated from the columns themselves; do not edit. Each sheet is a CSV file, a sheet of the workbook and a table of
        the page. A missing value is an empty cell. The files that `goal generate` writes:
        [Files and rules](goal-files.md).
        """;

    @TempDir
    private Path folder;

    private void run(Object... args) {
        StringWriter err = new StringWriter();
        String[] texts = Stream.of(args).map(String::valueOf).toArray(String[]::new);
        assertThat(Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), texts))
                .as(err::toString)
                .isZero();
    }

    @Test
    void everyColumnOfEveryFileIsNamedInItsOrder() throws IOException {
        Path traces = folder.resolve("traces");
        Path schedule = folder.resolve("schedule");
        SyntheticRun.write(traces, SyntheticTraces.smallRecipe(2), Layout.flat());
        run("goal", "-i", traces, "-o", schedule, "--tags");

        Map<String, String> sections = Documents.sections(Documents.read(FILES), "##");
        List<Path> tables;
        try (Stream<Path> files = Files.list(schedule)) {
            tables = files.filter(file -> file.toString().endsWith(".tsv")).toList();
        }
        assertThat(tables).hasSize(6).allSatisfy(table -> {
            String name = String.valueOf(table.getFileName());
            String head = Files.readAllLines(table).getFirst();
            assertThat(ROW.matcher(sections.getOrDefault(name, ""))
                            .results()
                            .map(row -> row.group(1))
                            .limit(head.split("\t").length))
                    .as(name)
                    .containsExactly(head.split("\t"));
        });
    }

    @Test
    void everyCodeIsExplained() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (Path source : Documents.sources()) {
            NOTE.matcher(Files.readString(source))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .forEach(codes::add);
        }
        String reference = Documents.read(FILES);

        assertThat(codes).contains("communicator_partial", "costs_assumed", "ends_trimmed");
        assertThat(codes).allSatisfy(code -> assertThat(reference).contains("`" + code + "`"));
    }

    @Test
    void sheetsAreWhatTheColumnsSay() throws IOException {
        String reference = sheets();
        if (Boolean.getBoolean("golden.update")) {
            assertThat(System.getenv("CI"))
                    .as("golden files are not rewritten where CI is set")
                    .isNull();
            Files.writeString(Documents.ROOT.resolve(SHEETS), reference);
        }
        assertThat(Documents.read(SHEETS)).isEqualTo(reference);
    }

    private String sheets() throws IOException {
        Path file = Files.writeString(folder.resolve("x.goal"), "num_ranks 1\nrank 0 {\ncalc 1\n}\n");
        Files.writeString(
                folder.resolve("collectives.tsv"),
                "collective\tranks\tbytes\talgorithm\tprotocol\tchannels\tcount\nAllReduce\t1\t1\t\t\t0\t1\n");
        StringBuilder out = new StringBuilder(HEAD);
        Goal.read(file).report(Network.DEFAULT).sections().stream()
                .filter(TableSection.class::isInstance)
                .map(section -> ((TableSection) section).table())
                .forEach(table -> describe(table, out));
        return out.toString();
    }

    private static void describe(Table table, StringBuilder out) {
        out.append("\n## `" + table.name() + "`\n\n" + table.title() + ".\n\n");
        out.append("| Column | Unit | Meaning |\n|---|---|---|\n");
        for (ColumnSpec column : table.schema().columns()) {
            out.append("| `" + column.header() + "` | " + column.shown().symbol() + " | "
                    + column.doc().replace("|", "\\|") + " |\n");
        }
    }
}
