// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.write.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Standard input as a file, since traces are read more than once; it goes when this is closed. */
final class StandardInput implements AutoCloseable {
    private static final Set<String> NAMES = Set.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    private @Nullable ScratchFolder folder;

    static boolean isNamed(String word) {
        return NAMES.contains(word);
    }

    /** Where what came in lies. */
    Path file() throws IOException {
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
