// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

@NullMarked
class OptionHintsTest {
    private static final Pattern OPTION = Pattern.compile("\"(--[a-z][a-z-]+)\"");
    private static final Pattern NAMED = Pattern.compile("(\"[^\"\n]*--[a-z][^\"\n]*\")");
    private static final Pattern ABOUT = Pattern.compile("\\.about\\(\\s*\"([^\"]+)\"");

    @Test
    void theOptionStandsBehindTheHint() {
        UserException wide = new UserException(ErrorCode.OPTION_INVALID, "no room", "They need 2 and 5.");
        assertThat(OptionHints.of(wide)).isEqualTo("They need 2 and 5.");
        assertThat(OptionHints.of(wide.about("tag width", "2,5"))).isEqualTo("They need 2 and 5. (--tag-width 2,5)");
        assertThat(OptionHints.of(new UserException(ErrorCode.OPTION_INVALID, "x", null).about("captures")))
                .isEqualTo("--capture DIR");
    }

    @Test
    void whatIsAssumedNamesTheOptionThatSaysOtherwise() {
        assertThat(OptionHints.ofAssumption("nodes_assumed", "all share a node"))
                .isEqualTo("all share a node; --gpus-per-node says it otherwise");
        assertThat(OptionHints.ofAssumption("costs_assumed", "costs")).isEqualTo("costs");
    }

    /** Options of other programs, such as profilers, may be named; findings about replays name how to replay better. */
    @Test
    void theLibraryNamesNoOptions() throws IOException {
        Path top = Path.of("").toAbsolutePath().getParent();
        Set<String> options = new TreeSet<>();
        find(top.resolve("cli/src/main/java"), OPTION, options);
        options.removeAll(Set.of(
                "--trace", "--output-format", "--user", "--kernel-trace", "--memory-copy-trace", "--marker-trace"));
        Set<String> named = new TreeSet<>();
        for (String module : List.of(
                "trace",
                "analysis",
                "ranks",
                "runs",
                "explain",
                "goal",
                "replay-libtorch",
                "publish",
                "sql",
                "synth")) {
            find(top.resolve(module).resolve("src/main/java"), NAMED, named);
        }
        named.removeIf(text -> Pattern.compile("--[a-z][a-z-]+")
                .matcher(text)
                .results()
                .noneMatch(option -> options.contains(option.group())));

        assertThat(options).contains("--gpus-per-node", "--critical-path");
        assertThat(named).isEmpty();
    }

    @Test
    void everySettingOfTheLibraryHasAnOption() throws IOException {
        Set<String> settings = new TreeSet<>();
        try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
            for (Path module : modules.map(m -> m.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                find(module, ABOUT, settings);
            }
        }
        assertThat(settings).hasSizeGreaterThan(5).allMatch(OptionHints::knows);
    }

    private static void find(Path sources, Pattern pattern, Set<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher matcher = pattern.matcher(Files.readString(file));
                while (matcher.find()) {
                    found.add(matcher.group(1));
                }
            }
        }
    }
}
