// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of Java in the README, word for word but for the places of files. */
class ReadmeSnippetTest {
    @TempDir
    private Path folder;

    @Test
    void theLinesCompileAndWriteAReport() throws Exception {
        SyntheticRun.write(
                folder.resolve("run"),
                SyntheticTraces.smallRecipe(2),
                new Layout(false, "trace.json", false, Set.of()));
        Path source = Files.writeString(folder.resolve("Readme.java"), program(snippet()));
        String path = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", path, "-proc:none", "-d", folder.toString(), source.toString()))
                .isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.loadClass("Readme").getMethod("run").invoke(null);
        }
        assertThat(folder.resolve("out/rank0/report.xlsx")).exists();
        assertThat(folder.resolve("out/csv/rank1/gpu_timeline.csv")).content().contains("computation_time,");
        assertThat(folder.resolve("out/csv/coverage.csv")).content().contains("\n1,read,");
    }

    /** The block of code that opens the library. */
    private static String snippet() {
        List<String> lines = Documents.read("README.md").lines().toList();
        int first = lines.indexOf(lines.stream()
                .filter(line -> line.contains("Lockstep.open()"))
                .findFirst()
                .orElseThrow());
        return lines.subList(first, lines.size()).stream()
                .takeWhile(line -> line.startsWith("    "))
                .collect(joining("\n"));
    }

    private String program(String snippet) {
        return """
                import dev.lockstep.Lockstep;
                import dev.lockstep.Run;
                import dev.lockstep.table.Table;
                import java.nio.file.Path;

                public final class Readme {
                    public static void run() throws Exception {
                %s
                    }
                }
                """.formatted(snippet.replace("Path.of(\"", "Path.of(\"" + folder + "/"));
    }
}
