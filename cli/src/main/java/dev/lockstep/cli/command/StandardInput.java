// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.write.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Standard input as a file, since traces are read more than once; it goes when this is closed. */
final class StandardInput implements AutoCloseable {
    private static final Set<String> NAMES = Set.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    private @Nullable ScratchFolder folder;

    /** Where what came in lies, for each of the inputs that stand for it: names of the stream, and buffers of libraries. */
    Map<String, Path> among(String inputs) throws IOException {
        Map<String, Path> files = new HashMap<>();
        for (String input : inputs.split("[,\\s]")) {
            if (NAMES.contains(input) || input.startsWith("api://")) {
                files.put(input, file());
            }
        }
        return files;
    }

    private Path file() throws IOException {
        if (folder == null) {
            folder = ScratchFolder.temporary();
            Files.copy(System.in, folder.path().resolve("stdin"));
        }
        return folder.path().resolve("stdin");
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
