// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a program that stands in for {@code nsys}. */
class NsysExportTest {
    @TempDir
    private Path folder = Path.of("");

    private final StringWriter err = new StringWriter();
    private Path recording = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        recording = Files.writeString(folder.resolve("a b.nsys-rep"), "NVIDIA Tegra Profiler Report 1.\n");
    }

    /** A program that copies its arguments into what it exports, then does something. */
    private String program(String then) throws IOException {
        Path script = folder.resolve("bin-nsys");
        Files.writeString(script, """
                #!/bin/sh
                for word; do case $word in --output=*) to=${word#--output=};; esac; done
                echo "$@" > "$to"
                """ + then + '\n');
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    private String[] exported(String program, Object... arguments) throws IOException {
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        PrintWriter to = new PrintWriter(err, true);
        return new NsysExport(program).of(words, to);
    }

    @Test
    void aRecordingIsExportedBesideItselfOnce() throws IOException {
        Path export = folder.resolve("a b.sqlite");
        String program = program("");

        assertThat(exported(program, "-o", "out", recording)).containsExactly("-o", "out", export.toString());
        assertThat(export).content().contains("export --type=sqlite", recording.toString());
        assertThat(err.toString()).contains("exported " + recording + " to " + export);

        Files.writeString(export, "kept");
        assertThat(exported(program, recording)).containsExactly(export.toString());
        assertThat(export).hasContent("kept");

        Files.setLastModifiedTime(export, FileTime.fromMillis(0));
        exported(program, recording);
        assertThat(export).content().contains("export");
    }

    @Test
    void thoseOfAFolderAreExportedThere() throws IOException {
        Path below = Files.createDirectory(folder.resolve("run"));
        Files.move(recording, below.resolve("r1.qdrep"));

        assertThat(exported(program(""), below)).containsExactly(below.toString());
        assertThat(below.resolve("r1.sqlite")).exists();
    }

    @Test
    void whatDoesNotWorkLeavesNothingBehind() throws IOException {
        String program = program("echo 'wrong version'; exit 3");

        assertThatThrownBy(() -> exported(program, recording))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("nsys export failed: wrong version");
        assertThatThrownBy(() -> exported(folder.resolve("none").toString(), recording))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no program");
        try (var left = Files.list(folder)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("a b.nsys-rep", "bin-nsys");
        }
    }
}
