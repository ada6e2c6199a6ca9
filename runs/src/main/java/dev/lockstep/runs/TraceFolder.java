// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.session.TraceFormats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The traces of one run. Files are found at any depth and under any name that ends like a trace's; a link to another of
 * them is the same trace. Which file belongs to which rank is told by content, when they are read.
 *
 * @param folder where they lie; it may not exist
 * @param files the traces, in natural order of their names
 * @param rankFolders ranks that have a folder of their own, whether or not there is a trace in it
 * @param broken links that lead nowhere
 */
public record TraceFolder(Path folder, List<Path> files, List<Integer> rankFolders, List<Path> broken) {
    public TraceFolder {
        files = List.copyOf(files);
        rankFolders = List.copyOf(rankFolders);
        broken = List.copyOf(broken);
    }

    /** What a folder holds; nothing if it does not exist. */
    public static TraceFolder of(Path folder) {
        return of(folder, file -> true);
    }

    /** The traces of a GPU profiler that was wrapped around the run: of its first pass, when there were several. */
    static TraceFolder ofRocprof(Path folder) {
        Path firstPass = folder.resolve("pass_1");
        Path place = Files.isDirectory(firstPass) ? firstPass : folder;
        TraceFolder all = of(place, file -> String.valueOf(file.getFileName()).contains("_results."));
        return new TraceFolder(place, all.files, List.of(), all.broken);
    }

    private static TraceFolder of(Path folder, Predicate<Path> wanted) {
        TraceFormats formats = new TraceFormats();
        Map<Path, Path> byTarget = new LinkedHashMap<>();
        List<Path> broken = new ArrayList<>();
        for (Path file : Folders.filesBelow(folder)) {
            if (!formats.isTrace(file) || !wanted.test(file)) {
                continue;
            }
            if (Files.isRegularFile(file)) {
                byTarget.merge(Folders.realPath(file), file, TraceFolder::original);
            } else if (Files.isSymbolicLink(file)) {
                broken.add(file);
            }
        }
        List<Path> files = byTarget.values().stream()
                .sorted(Comparator.comparing(Folders::realPath, Folders.NATURAL))
                .sorted(Folders.NATURAL)
                .toList();
        return new TraceFolder(folder, files, RankFolders.ranksIn(folder), broken);
    }

    /** What is to be read: the traces, and links that lead nowhere, with which traces are lost. */
    public List<Path> toRead() {
        return Stream.concat(files.stream(), broken.stream())
                .sorted(Folders.NATURAL)
                .toList();
    }

    /** Whether there is nothing to read. */
    public boolean isEmpty() {
        return files.isEmpty();
    }

    private static Path original(Path one, Path other) {
        return Files.isSymbolicLink(one) && !Files.isSymbolicLink(other) ? other : one;
    }
}
