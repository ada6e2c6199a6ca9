// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentCaptureTest {
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void pythonIsAskedWithoutModulesOfTheCurrentFolder() throws Exception {
        assumeTrue(Programs.isThere("python3"));
        String trap = "open(%r, 'w')\n".replace("%r", "'" + folder.resolve("ran") + "'");
        Files.writeString(folder.resolve("platform.py"), trap);
        Files.createDirectory(folder.resolve("torch"));
        Files.createFile(folder.resolve("torch/__init__.py"));
        Files.writeString(folder.resolve("torch/version.py"), trap);
        File answer = folder.resolve("answer").toFile();

        int status = new ProcessBuilder("python3", "-c", EnvironmentCapture.ASK_PYTHON)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(answer)
                .start()
                .waitFor();

        assertThat(status).isZero();
        assertThat(answer).content().startsWith("python 3.");
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void aRepositoryStartsNothingWhenItIsAskedForItsChanges() throws IOException {
        assumeTrue(Programs.isThere("git"));
        Path trap = folder.resolve("trap");
        Files.writeString(trap, "#!/bin/sh\ntouch '" + folder.resolve("ran") + "'\n");
        Files.setPosixFilePermissions(trap, PosixFilePermissions.fromString("rwx------"));
        Path file = Files.writeString(folder.resolve("file"), "a");
        git("init", "-q");
        git("add", file.toString());
        git("config", "core.fsmonitor", trap.toString());
        git("config", "core.hooksPath", folder.toString());
        Files.move(trap, folder.resolve("post-index-change"));
        Files.createSymbolicLink(trap, folder.resolve("post-index-change"));
        Files.writeString(file, "b");

        assertThat(Programs.run(EnvironmentCapture.changes(folder.toString()), LONGEST))
                .hasValueSatisfying(changes -> assertThat(changes).contains("AM file"));
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    private void git(String... words) {
        List<String> line = new ArrayList<>(List.of("git", "-C", folder.toString()));
        line.addAll(List.of(words));
        assertThat(Programs.run(line, LONGEST)).isPresent();
    }
}
