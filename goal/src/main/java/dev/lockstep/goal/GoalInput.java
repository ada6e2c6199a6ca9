// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.session.TraceFormats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The recordings that a schedule is made of: those of all ranks of one run. */
public sealed interface GoalInput {
    /** How names of exports of Nsight Systems end. */
    String EXPORT = ".sqlite";

    /**
     * What messages call it.
     *
     * @return the file or directory as it was given
     */
    String name();

    /**
     * The files.
     *
     * @return at least one, in the order in which they are read
     */
    List<Path> files();

    /**
     * Exports of Nsight Systems ({@code nsys export --type=sqlite}) of an NCCL with annotations.
     *
     * @param name what messages call them
     * @param files the exports
     */
    record Nsys(String name, List<Path> files) implements GoalInput {
        /** Copies the list. */
        public Nsys {
            files = List.copyOf(files);
        }
    }

    /**
     * Traces of PyTorch's profiler.
     *
     * @param name what messages call them
     * @param files the traces; one rank each, or several in a merged one
     */
    record PyTorch(String name, List<Path> files) implements GoalInput {
        /** Copies the list. */
        public PyTorch {
            files = List.copyOf(files);
        }
    }

    /**
     * Exports of Nsight Systems: a file, or all files ending in {@value #EXPORT} below a directory, in the order of their
     * paths.
     *
     * @param input the file or directory
     * @return the exports
     * @throws TraceFormatException when there is no such file or directory
     * @throws UserException when there is no export below the directory
     * @throws IOException when the directory cannot be read
     */
    static GoalInput nsys(Path input) throws IOException {
        if (!Files.exists(input)) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, input.toString(), -1, "there is no such directory", null);
        }
        if (Files.isRegularFile(input)) {
            return new Nsys(input.toString(), List.of(input));
        }
        List<Path> files = TraceFiles.below(input, path -> path.toString().endsWith(EXPORT));
        if (files.isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    input + ": no files ending in " + EXPORT,
                    "Export the report first: nsys export --type=sqlite FILE.nsys-rep.");
        }
        return new Nsys(input.toString(), files);
    }

    /**
     * Traces of PyTorch's profiler: a file, all traces below a directory, or those that a pattern matches.
     *
     * @param input the file, directory or pattern
     * @return the traces, in the order of their paths
     * @throws UserException when there is no trace below the directory, or none that the pattern matches
     * @throws IOException when the directory cannot be read
     */
    static GoalInput pyTorch(String input) throws IOException {
        return new PyTorch(input, TraceFiles.of(List.of(input)));
    }

    /**
     * Whether recordings are PyTorch's, judged by names: they are unless there is an export of Nsight Systems.
     *
     * @param input a file, a directory, or a pattern of files
     * @return true for traces of PyTorch, false for exports, and for a directory with neither
     */
    static boolean isPyTorch(Path input) {
        if (Files.isRegularFile(input)) {
            return !input.toString().endsWith(EXPORT);
        }
        if (!Files.isDirectory(input)) {
            return input.toString().contains("*") && !input.toString().endsWith(EXPORT);
        }
        try {
            return TraceFiles.below(input, path -> path.toString().endsWith(EXPORT))
                            .isEmpty()
                    && !TraceFiles.below(input, new TraceFormats()::isTrace).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
