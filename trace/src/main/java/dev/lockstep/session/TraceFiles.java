// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that are meant by paths: files as they are, directories with the traces below them, patterns.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class TraceFiles {
    /** So far below a directory that stands where a file is needed is looked for traces. */
    private static final int NEAR = 3;

    /** So many files are named. */
    private static final int FEW = 4;

    private TraceFiles() {}

    /**
     * Resolves what was named on a command line. What a directory or pattern holds is sorted by name.
     *
     * @param arguments files, directories, or patterns as in {@code run/*.json}
     * @return the files, in the order of the arguments
     * @throws UserException when a directory holds no traces, or nothing matches a pattern
     * @throws IOException when a directory cannot be listed
     */
    public static List<Path> of(List<String> arguments) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String argument : arguments) {
            Path path = path(argument);
            if (Files.isDirectory(path)) {
                TraceFormats formats = new TraceFormats();
                List<Path> found = RecordedTwice.without(below(path, formats::isOfRun));
                if (found.isEmpty()) {
                    throw new UserException(
                            ErrorCode.INPUT_NOT_FOUND, argument + ": no traces in this directory", formats.hint());
                }
                files.addAll(found);
            } else if (!Files.exists(path) && isPattern(argument)) {
                files.addAll(matching(argument));
            } else {
                files.add(path);
            }
        }
        return files;
    }

    /**
     * The same for files that are no traces: what a directory holds is told by its content.
     *
     * @param arguments files, directories, or patterns as in {@code dumps/*.json}
     * @param wanted which files are meant, asked of those in directories
     * @param title what they are, in the singular
     * @param hint how to come by them
     * @return the files, each once
     * @throws UserException when a directory holds none, or nothing matches a pattern
     * @throws IOException when a directory cannot be listed
     */
    public static List<Path> of(List<String> arguments, Predicate<Path> wanted, String title, String hint)
            throws IOException {
        List<Path> files = new ArrayList<>();
        for (String argument : arguments) {
            Path path = path(argument);
            if (!Files.isDirectory(path)) {
                files.addAll(of(List.of(argument)));
                continue;
            }
            List<Path> found = below(path, file -> Files.isRegularFile(file) && wanted.test(file));
            if (found.isEmpty()) {
                throw new UserException(ErrorCode.NOTHING_TO_DO, argument + ": no " + title + " in this folder", hint);
            }
            files.addAll(found);
        }
        return files.stream().distinct().toList();
    }

    /**
     * {@return whether an argument may stand for several files}
     *
     * @param argument as a user gave it
     */
    public static boolean isPattern(String argument) {
        return argument.matches(".*[*?\\[{].*");
    }

    /**
     * {@return what tells the files that a pattern stands for}
     *
     * @param pattern of whole paths or of names alone, with * ? [] and {}
     * @throws UserException when it is no pattern, as where a bracket is open
     */
    public static PathMatcher matcher(String pattern) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        } catch (PatternSyntaxException e) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    pattern + ": there is no such file, and as a pattern it is wrong: " + e.getDescription(),
                    null);
        }
    }

    private static List<Path> matching(String pattern) throws IOException {
        int wild = pattern.replaceAll("[*?\\[{].*", "").lastIndexOf('/');
        Path root = FileNames.path(wild < 0 ? "." : wild == 0 ? "/" : pattern.substring(0, wild));
        PathMatcher matcher = matcher(pattern);
        List<Path> found = Files.isDirectory(root)
                ? below(root, f -> matcher.matches(wild < 0 ? root.relativize(f) : f))
                : List.of();
        if (found.isEmpty()) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, pattern + ": nothing matches this pattern", null);
        }
        return found;
    }

    /**
     * Demands a file where one trace is needed; of a directory, says what is in it.
     *
     * @param input what was named
     * @throws UserException for a directory
     */
    public static void demandFile(TraceInput input) {
        if (Files.isDirectory(input.path())) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    input.name() + ": this is a directory; one trace is needed",
                    content(input));
        }
    }

    private static @Nullable String content(TraceInput directory) {
        List<String> names;
        try {
            names = below(directory.path(), NEAR, new TraceFormats()::isTrace).stream()
                    .map(file -> directory.path().relativize(file).toString())
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return null;
        }
        if (names.isEmpty()) {
            return null;
        }
        if (names.size() == 1) {
            return "It holds the trace " + names.getFirst() + ".";
        }
        String which = names.size() <= FEW
                ? "the traces " + String.join(", ", names)
                : names.size() + " traces, such as " + names.getFirst();
        return "It holds " + which + ". Name one of them.";
    }

    /**
     * The files below a directory, by their paths. A link that leads nowhere is a file that cannot be read.
     *
     * @param root the directory
     * @param wanted which files are meant
     * @return the files; what is hidden is left out: outputs in the making have such names, and stay behind where a run was
     *     killed
     * @throws IOException when the directory cannot be listed
     */
    public static List<Path> below(Path root, Predicate<Path> wanted) throws IOException {
        return below(root, Integer.MAX_VALUE, wanted);
    }

    private static List<Path> below(Path root, int depth, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> walk = Files.walk(root, depth)) {
            return walk.filter(wanted)
                    .filter(file -> !isHidden(root.relativize(file)))
                    .filter(file -> Files.isRegularFile(file) || isBroken(file))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isBroken(Path file) {
        return Files.isSymbolicLink(file) && !Files.exists(file);
    }

    private static boolean isHidden(Path file) {
        for (Path part : file) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    private static Path path(String argument) {
        try {
            return FileNames.path(argument);
        } catch (InvalidPathException e) {
            throw new UserException(ErrorCode.OPTION_INVALID, "not a path: " + argument, null, e);
        }
    }
}
