// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files that arguments mean: files as they are, directories with the traces below them, patterns. */
final class TraceFiles {
    /** Written beside synthetic traces; no trace itself. */
    private static final String TRUTH = "truth.json";

    private TraceFiles() {}

    /** In the order of the arguments; what a directory or pattern holds is sorted by name. */
    static List<Path> of(List<String> arguments) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String argument : arguments) {
            Path path = path(argument);
            if (Files.isDirectory(path)) {
                List<Path> found = below(path, f -> isTrace(f) && !f.endsWith(TRUTH));
                if (found.isEmpty()) {
                    throw new UserException(
                            ErrorCode.INPUT_NOT_FOUND,
                            argument + ": no traces in this directory",
                            "Traces end in .json, .json.gz, .zip, .pftrace, .pftrace.gz or .sqlite.");
                }
                files.addAll(found);
            } else if (!Files.exists(path) && argument.matches(".*[*?\\[{].*")) {
                files.addAll(matching(argument));
            } else {
                files.add(path);
            }
        }
        return files;
    }

    private static List<Path> matching(String pattern) throws IOException {
        int wild = pattern.replaceAll("[*?\\[{].*", "").lastIndexOf('/');
        Path root = Path.of(wild < 0 ? "." : wild == 0 ? "/" : pattern.substring(0, wild));
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        List<Path> found = Files.isDirectory(root)
                ? below(root, f -> matcher.matches(wild < 0 ? root.relativize(f) : f))
                : List.of();
        if (found.isEmpty()) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, pattern + ": nothing matches this pattern", null);
        }
        return found;
    }

    private static List<Path> below(Path root, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile).filter(wanted).sorted().toList();
        }
    }

    private static boolean isTrace(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return Stream.of(".json", ".json.gz", ".zip", ".pftrace", ".pftrace.gz", ".sqlite")
                .anyMatch(name::endsWith);
    }

    private static Path path(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            throw new UserException(ErrorCode.OPTION_INVALID, "not a path: " + argument, null, e);
        }
    }
}
