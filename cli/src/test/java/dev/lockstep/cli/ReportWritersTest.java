// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Report;
import dev.lockstep.session.Registry;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A module that nobody here knows brings a writer of reports; every command that reports offers it. */
class ReportWritersTest {
    /** Writes the titles of reports. */
    public static final class TitleWriter implements ReportWriter {
        @Override
        public String id() {
            return "title";
        }

        @Override
        public String help() {
            return "Write the title alone.";
        }

        @Override
        public String ending() {
            return ".title";
        }

        @Override
        public boolean isStandard() {
            return true;
        }

        @Override
        public void write(Report report, Path target, CellStyle style) throws IOException {
            Files.writeString(target, report.title());
        }
    }

    private static final class Modules extends ClassLoader {
        private final Path services;

        Modules(ClassLoader parent, Path services) {
            super(parent);
            this.services = services;
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals("META-INF/services/" + ReportWriter.class.getName())
                    ? Collections.enumeration(
                            Collections.singleton(services.toUri().toURL()))
                    : super.getResources(name);
        }
    }

    private static final String TRACE = """
            {"traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 2},
            {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 3, "dur": 4, "args": {"device": 0}}
            ]}
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private ClassLoader before;
    private Path trace;

    @BeforeEach
    void anotherModule() throws IOException {
        Path services = Files.writeString(
                folder.resolve("services"), TitleWriter.class.getName() + "\ndev.lockstep.publish.WorkbookWriter\n");
        before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new Modules(before, services));
        trace = Files.writeString(folder.resolve("rank0.json"), TRACE);
    }

    @AfterEach
    void noOtherModule() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void itsOptionNamesAFile() throws IOException {
        Path target = folder.resolve("t");

        assertThat(TestProgram.run(out, err, "report", trace, "--title", target))
                .isZero();

        assertThat(target).hasContent("Performance of rank 0");
    }

    @Test
    void itsOptionStandsInTheHelp() {
        for (String command : new String[] {"report", "collectives", "compare", "diff"}) {
            assertThat(TestProgram.run(out, err, command, "--help")).isZero();
            assertThat(out.toString()).contains("--title=FILE", "Write the title alone.");
        }
    }

    @Test
    void itHasItsPlaceInTheDefaultFolder() {
        Path into = folder.resolve("all");

        assertThat(TestProgram.run(out, err, "report", trace, "-o", into)).isZero();

        assertThat(into.toFile().list()).contains("report.html", "report.title", "report.xlsx", "csv");
    }

    @Test
    void optionsComeInTheOrderOfTheHelp() {
        assertThat(new Registry().reportWriters())
                .extracting(ReportWriter::id)
                .containsSubsequence("csv", "title", "xlsx", "html", "json");
    }
}
