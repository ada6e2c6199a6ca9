// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.ScratchFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Small programs that are asked something. */
final class Programs {
    private Programs() {}

    /** What the program printed, or nothing if it is not there, fails or takes too long. */
    static Optional<String> run(List<String> command, Duration atMost) {
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            Path output = scratch.path().resolve("output");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return Optional.empty();
            }
            byte[] bytes = NamedFiles.bytes(output);
            return process.exitValue() == 0
                    ? Optional.of(new String(bytes, StandardCharsets.UTF_8).strip())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Whether a shell would find the program. */
    static boolean isThere(String name) {
        if (name.contains("/")) {
            return Files.isExecutable(Path.of(name));
        }
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator))
                        .map(folder -> Path.of(folder.isEmpty() ? "." : folder, name))
                        .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file));
    }
}
