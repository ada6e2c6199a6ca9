// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.mcp;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folders below which a client may read, without links in their names.
 *
 * @param folders one at least
 */
record McpRoots(List<Path> folders) {
    private static final int MOST_FILES = 200_000;

    /** @throws UserException when there is none, or one is no folder */
    static McpRoots of(List<String> names) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String name : names) {
            Path folder = FileNames.path(name);
            if (!Files.isDirectory(folder)) {
                throw new UserException(ErrorCode.INPUT_NOT_FOUND, name + ": no such folder", null);
            }
            folders.add(folder.toRealPath());
        }
        if (folders.isEmpty()) {
            throw new UserException(ErrorCode.OPTION_INVALID, "mcp wants a folder to read below: --root DIR", null);
        }
        return new McpRoots(List.copyOf(folders));
    }

    /**
     * The file or folder of that name, relative to one of the folders or whole, where it lies below one of them with all that it
     * holds.
     *
     * @throws UserException when it does not, or is not there; the words do not tell which outside
     */
    Path demand(String name) throws IOException {
        for (Path root : folders) {
            Path real;
            try {
                real = root.resolve(name).toRealPath();
            } catch (NoSuchFileException | InvalidPathException e) {
                continue;
            }
            if (holds(real) && (!Files.isDirectory(real) || linksStayWithin(real))) {
                return real;
            }
        }
        throw new UserException(
                ErrorCode.INPUT_NOT_FOUND,
                "no such file below the folders of this server",
                "It reads below: "
                        + String.join(", ", folders.stream().map(Path::toString).toList()));
    }

    private boolean holds(Path real) {
        return folders.stream().anyMatch(real::startsWith);
    }

    private boolean linksStayWithin(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> links =
                    all.limit(MOST_FILES).filter(Files::isSymbolicLink).toList();
            for (Path link : links) {
                if (Files.exists(link) && !holds(link.toRealPath())) {
                    return false;
                }
            }
        }
        return true;
    }
}
