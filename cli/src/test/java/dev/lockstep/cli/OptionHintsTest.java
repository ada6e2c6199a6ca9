// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

@NullMarked
class OptionHintsTest {
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
    void everySettingOfTheLibraryHasAnOption() throws IOException {
        Set<String> settings = new TreeSet<>();
        try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
            for (Path module : modules.map(m -> m.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                addSettings(module, settings);
            }
        }
        assertThat(settings).hasSizeGreaterThan(5).allMatch(OptionHints::knows);
    }

    private static void addSettings(Path sources, Set<String> settings) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher about = ABOUT.matcher(Files.readString(file));
                while (about.find()) {
                    settings.add(about.group(1));
                }
            }
        }
    }
}
