// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No finding is forgotten when something is withheld: what each rests on stands in one place. */
class RestsOnTest {
    /** The code of a finding stands behind its severity: one text, or one of two. */
    static final Pattern CODE =
            Pattern.compile("(?:Severity\\.[A-Z]+|\\bseverity\\w*),\\s*(?:(?:[^\"();?]|\\([^()]*\\))*\\?\\s*)?"
                    + "\"([a-z][a-z0-9_]*)\"(?:\\s*:\\s*\"([a-z][a-z0-9_]*)\")?");

    /** Helpers of one severity, which take the code first. */
    private static final Pattern FIRST = Pattern.compile("\\badd\\(\\s*\"([a-z][a-z0-9_]*)\",");

    /** The program's sources that make findings. */
    static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        for (Path source : files()) {
            String text = Files.readString(source);
            if (text.contains("Finding")) {
                sources.add(text);
            }
        }
        return sources;
    }

    private static List<Path> files() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of("..")).filter(Files::isDirectory)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        sources.sort(null);
        return sources;
    }

    private static Set<String> codes() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (Path source : files()) {
            String text = Files.readString(source);
            if (text.contains("Finding")) {
                collect(CODE.matcher(text), codes);
            }
            if (source.getFileName().toString().endsWith("Findings.java")) {
                collect(FIRST.matcher(text), codes);
            }
        }
        return codes;
    }

    private static void collect(Matcher found, Set<String> codes) {
        while (found.find()) {
            for (int i = 1; i <= found.groupCount(); i++) {
                if (found.group(i) != null) {
                    codes.add(found.group(i).replaceFirst("_$", ""));
                }
            }
        }
    }

    @Test
    void everyCodeOfAFindingIsListed() throws IOException {
        Set<String> codes = codes();
        assertThat(codes).contains("idle_cause", "top_annotation", "fleet_even", "sweep_best", "late_rank");
        assertThat(codes.stream().filter(code -> !RestsOn.knows(code))).isEmpty();
    }

    @Test
    void whatIsNewWouldBeMissed() {
        assertThat(RestsOn.knows("brand_new")).isFalse();
        assertThat(RestsOn.finding("idle_cause")).contains(Topic.IDLE);
        assertThat(RestsOn.finding("memory_leak")).isEmpty();
    }
}
