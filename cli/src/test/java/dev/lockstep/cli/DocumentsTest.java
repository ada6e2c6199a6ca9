// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.session.Registry;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

/** The documents say everything that the program can do and say, and nothing that it cannot. */
class DocumentsTest {
    private static final Pattern OPTION = Pattern.compile("(?m)^\\| `(?:-\\w, )?(--?[\\w-]+)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]+)(?:#[^)]*)?\\)");
    private static final Pattern DIAGNOSTIC = Pattern.compile(
            "(?:Weight\\.[A-Z]+|report\\(\\s*(?:true|false)|note\\(\\s*(?:found|JsonCursor\\.\\w+)),\\s*\"([a-z][a-z0-9_]+)\""
                    + "|(?:problem|observe)\\(\"([a-z][a-z0-9_]+)\"");

    static Stream<CommandEntry> commands() {
        return Commands.runnable();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theReferenceKnowsEveryOption(CommandEntry entry) {
        Map<String, String> reference = Documents.sections(Documents.read("docs/reference/cli.md"), "##");
        assertThat(reference).containsKeys("lockstep " + entry.name(), "Options of every command");
        Set<String> documented = options(reference.get("lockstep " + entry.name()));
        documented.addAll(options(reference.get("Options of every command")));
        Set<String> known = Commands.line(entry, entry.create().get()).getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> ofReports = options(reference.get("Options of every report"));
        documented.addAll(known.containsAll(ofReports) ? ofReports : Set.of());

        assertThat(documented).isEqualTo(known);
    }

    static Stream<ReportWriter> reportWriters() {
        return new Registry().reportWriters().stream();
    }

    @ParameterizedTest
    @MethodSource("reportWriters")
    void theReferenceKnowsEveryWriterOfReports(ReportWriter writer) {
        boolean folder = writer.isFolder();
        String place = writer.isStandard() ? "`" + writer.fileName() + (folder ? "/` " : "` ") : "";
        String help = writer.help().substring(0, writer.help().length() - 1);

        assertThat(Documents.sections(Documents.read("docs/reference/cli.md"), "##")
                        .get("Options of every report"))
                .contains("| `--" + writer.id() + (folder ? " DIR` | " : " FILE` | ") + place + "| " + help);
    }

    @ParameterizedTest
    @EnumSource
    void everyErrorHasAParagraphWithItsExitStatus(ErrorCode code) {
        assertThat(Documents.sections(Documents.read("docs/reference/errors.md"), "###"))
                .hasEntrySatisfying(
                        code.name(), text -> assertThat(text).contains("Exit status " + code.exitStatus() + "."));
    }

    @Test
    void everyDiagnosticHasAParagraph() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (Path source : Documents.sources()) {
            DIAGNOSTIC
                    .matcher(Files.readString(source))
                    .results()
                    .map(found -> found.group(1) != null ? found.group(1) : found.group(2))
                    .forEach(codes::add);
        }

        assertThat(codes).contains("truncated", "ts_invalid", "checksum", "no_launch", "lone_surrogate");
        assertThat(Documents.sections(Documents.read("docs/reference/errors.md"), "###"))
                .containsKeys(codes.toArray(String[]::new));
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        for (Path document : Documents.all()) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(document)).results().toList()) {
                if (!link.group(1).contains("://")) {
                    assertThat(document.resolveSibling(link.group(1)))
                            .as("link in %s", Documents.ROOT.relativize(document))
                            .exists();
                }
            }
        }
    }

    @Test
    void everyBenchmarkIsListed() throws IOException {
        String ending = "Benchmark.java";
        try (Stream<Path> sources = Files.walk(Documents.ROOT.resolve("bench/src/main/java"))) {
            String[] rows = sources.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .map(name -> "\n| `" + name.substring(0, name.length() - ending.length()) + "`")
                    .toArray(String[]::new);

            assertThat(rows).isNotEmpty();
            assertThat(Documents.read("bench/README.md")).contains(rows);
        }
    }

    /** The options in the first columns of the tables of a section. */
    private static Set<String> options(String section) {
        return OPTION.matcher(section)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
