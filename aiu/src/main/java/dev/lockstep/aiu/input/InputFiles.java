// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the files that a list of patterns, separated by commas or blanks, names; those of one pattern by name. */
final class InputFiles {
    private InputFiles() {}

    /** @param others files by the names that stand for them */
    static List<TraceInput> of(String input, Map<String, Path> others, AiuLog log) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (String pattern : input.split("[,\\s]")) {
            if (others.containsKey(pattern)) {
                found.add(pattern);
                continue;
            }
            if (pattern.isEmpty()) {
                continue;
            }
            int slash = pattern.lastIndexOf('/');
            Path folder = FileNames.path(slash < 0 ? "." : slash == 0 ? "/" : pattern.substring(0, slash));
            String name = pattern.substring(slash + 1);
            Path plain = FileNames.path(pattern);
            if (Files.exists(plain) && !Files.isDirectory(plain)) {
                NamedFiles.demandFile(
                        pattern, plain, "Traces are read more than once; -i - takes what comes from standard input.");
                found.add(plain.toString());
            } else if (Files.isDirectory(folder) && !name.isEmpty()) {
                matches(folder, name, slash < 0).forEach(found::add);
            }
        }
        log.info("Reading files: ['" + String.join("', '", found) + "']");
        return found.stream()
                .map(name -> {
                    Path other = others.get(name);
                    return new TraceInput(name, other == null ? FileNames.path(name) : other);
                })
                .toList();
    }

    private static List<String> matches(Path folder, String pattern, boolean here) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> listing = Files.newDirectoryStream(folder)) {
            PathMatcher matcher = TraceFiles.matcher(pattern);
            for (Path path : listing) {
                Path name = path.getFileName();
                if (name != null && matcher.matches(name) && Files.isRegularFile(path)) {
                    names.add(here ? name.toString() : path.toString());
                }
            }
        }
        names.sort(null);
        return names;
    }
}
