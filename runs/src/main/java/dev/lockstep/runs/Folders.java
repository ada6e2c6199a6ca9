// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.read.TraceNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What folders hold, in an order that does not depend on the file system. */
final class Folders {
    /** Deeper than any layout in use; keeps a wrong argument from walking a whole disk. */
    private static final int DEEPEST = 8;

    static final Comparator<Path> NATURAL = Comparator.comparing(path -> TraceNames.natural(path.toString()));

    private Folders() {}

    /** What lies in a folder; nothing for a folder that is missing or may not be read. */
    static List<Path> children(Path folder) {
        try (Stream<Path> list = Files.list(folder)) {
            return list.sorted(NATURAL).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * All that is no folder below a folder. Links are followed, each folder is visited once. What is hidden is left out:
     * outputs in the making have such names, and stay behind where a run was killed.
     */
    static List<Path> filesBelow(Path folder) {
        List<Path> files = new ArrayList<>();
        walk(folder, 0, new HashSet<>(), files::add);
        return files;
    }

    private static void walk(Path folder, int depth, Set<Path> visited, Consumer<Path> file) {
        if (depth > DEEPEST || !visited.add(realPath(folder))) {
            return;
        }
        for (Path child : children(folder)) {
            if (String.valueOf(child.getFileName()).startsWith(".")) {
                continue;
            }
            if (Files.isDirectory(child)) {
                walk(child, depth + 1, visited, file);
            } else {
                file.accept(child);
            }
        }
    }

    /** Where a path really leads, the path itself when it leads nowhere. */
    static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }
}
