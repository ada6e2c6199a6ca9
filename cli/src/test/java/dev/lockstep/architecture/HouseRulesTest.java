// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Habits of the sources of all modules that no compiler sees. */
@NullMarked
class HouseRulesTest {
    /** The root of the repository; tests run in the folder of their module. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Classes that open files by themselves: what the system tells about itself, and failures that the class words. */
    private static final Set<String> OPENING = Set.of(
            "NamedFiles",
            "Destination",
            "DuckDatabase",
            "EnvironmentCapture",
            "ProcessTree",
            "RunManifest",
            "SettingsFile",
            "ScratchOwner",
            "SysfsPower",
            "WorkerProcess");

    private static final Pattern OPENS = Pattern.compile(
            "\\bFiles\\.(writeString|write|newOutputStream|newBufferedWriter"
                    + "|readString|readAllLines|lines|readAllBytes|newBufferedReader|newInputStream|createTemp\\w+)\\("
                    + "|new File(Input|Output)Stream\\(\\w+\\.toFile|new FileReader|new FileWriter|createParser\\(\\w+\\.toFile");

    @Test
    void failuresOfFilesNameThem() throws IOException {
        List<String> opening = sources(path -> !path.startsWith(ROOT.resolve("bench")))
                .filter(path -> OPENS.matcher(text(path)).find())
                .map(HouseRulesTest::name)
                .filter(name -> !OPENING.contains(name))
                .toList();
        assertThat(opening).as("files that are not opened through NamedFiles").isEmpty();
    }

    @Test
    void aSimpleNameStandsForOneClass() throws IOException {
        Map<String, List<Path>> byName = sources(path -> true)
                .collect(Collectors.groupingBy(HouseRulesTest::name, TreeMap::new, Collectors.toList()));
        byName.values().removeIf(paths -> paths.size() == 1);
        assertThat(byName).isEmpty();
    }

    @Test
    void sortedPlacesAreSearchedByOneClass() throws IOException {
        assertThat(spelling("\\bint middle = .*>>> 1;", "LongOrder"))
                .as("searches of their own: LongOrder.leading and countBelow do it")
                .isEmpty();
    }

    @Test
    void mediansAreTakenByOneClass() throws IOException {
        assertThat(spelling("\\[(\\w+\\.length|count|n|CALLS|\\(\\w+\\.length - 1\\)) / 2\\]", "Quantiles"))
                .as("medians of their own: Quantiles takes them")
                .isEmpty();
    }

    @Test
    void theLatestMomentIsStatedOnce() throws IOException {
        assertThat(spelling("1L << 62", "JsonCursor"))
                .as("JsonCursor.LATEST_NS is the latest moment")
                .isEmpty();
    }

    /** Modules that spell names of formats or of other tools, which tables happen to share. */
    private static final Set<String> SPELLING_FORMATS =
            Set.of("aiu", "bench", "compat", "hangs", "synth", "tables", "trace");

    /** Names that the package of stragglers spells, and the results of a study that it reads and writes. */
    private static final Set<String> OWN_NAMES =
            Set.of("straggler_whatif", "straggler_steps", "straggler_heatmap", "dp_rank");

    /** Of names that are no plain words: those with a space, a sign, or an underscore. */
    @Test
    void namesOfTablesAndColumnsAreSpeltInTwoClassesAtMost() throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> documents = Files.list(ROOT.resolve("docs/reference"))) {
            Pattern named = Pattern.compile("(?m)^(?:#+ |\\| )`([^`]*[ _%(][^`]*)`");
            documents
                    .filter(path -> path.toString().endsWith("tables.md"))
                    .forEach(path -> named.matcher(text(path)).results().forEach(match -> names.add(match.group(1))));
        }
        names.removeAll(OWN_NAMES);
        Map<String, Set<String>> spelt = new TreeMap<>();
        Pattern literal = Pattern.compile("\"([^\"\\\\]+)\"");
        sources(path -> !SPELLING_FORMATS.contains(
                        ROOT.relativize(path).getName(0).toString()))
                .forEach(path -> literal.matcher(text(path))
                        .results()
                        .map(match -> match.group(1))
                        .filter(names::contains)
                        .forEach(name -> spelt.computeIfAbsent(name, n -> new TreeSet<>())
                                .add(name(path))));
        spelt.values().removeIf(classes -> classes.size() <= 2);
        assertThat(names).hasSizeGreaterThan(300);
        assertThat(spelt).as("names that belong into TableNames or ColumnNames").isEmpty();
    }

    /** Others hand a {@code JsonObject} to {@code JsonOut}. */
    @Test
    void twoPackagesSpellJson() throws IOException {
        Pattern generator = Pattern.compile("\\bJsonGenerator\\b");
        Set<String> packages = sources(path -> generator.matcher(text(path)).find())
                .map(path -> String.valueOf(path.getParent().getFileName()))
                .collect(Collectors.toSet());
        assertThat(packages).containsExactlyInAnyOrder("codec", "write");
    }

    /** Classes other than these whose text has a match. */
    private static List<String> spelling(String pattern, String... but) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        return sources(path -> !path.startsWith(ROOT.resolve("bench")))
                .filter(path -> wanted.matcher(text(path)).find())
                .map(HouseRulesTest::name)
                .filter(name -> !Set.of(but).contains(name))
                .toList();
    }

    /** The compiler looks at comments of what modules export to everybody. */
    @Test
    void commentsOfAllThatIsExportedAreChecked() throws IOException {
        Pattern exports = Pattern.compile("(?m)^ *exports ([a-z.]+);");
        String exported;
        try (Stream<Path> modules = Files.list(ROOT)) {
            exported = modules.map(module -> module.resolve("src/main/java/module-info.java"))
                    .filter(Files::exists)
                    .flatMap(info -> exports.matcher(text(info)).results())
                    .map(match -> match.group(1))
                    .sorted()
                    .collect(Collectors.joining(","));
        }
        assertThat(text(ROOT.resolve("pom.xml")))
                .contains("<exported.packages>" + exported + "</exported.packages>")
                .contains("<arg>-Xdoclint/package:${exported.packages}</arg>");
    }

    /** The classes of all modules, tests apart. */
    private static Stream<Path> sources(Predicate<Path> wanted) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<Path> roots = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
            assertThat(roots).hasSizeGreaterThan(10);
            return roots.stream()
                    .flatMap(HouseRulesTest::walk)
                    .filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !name(path).endsWith("-info"))
                    .filter(wanted)
                    .sorted();
        }
    }

    private static Stream<Path> walk(Path root) {
        try (Stream<Path> all = Files.walk(root)) {
            return all.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path path) {
        String file = String.valueOf(path.getFileName());
        return file.substring(0, file.lastIndexOf('.'));
    }
}
