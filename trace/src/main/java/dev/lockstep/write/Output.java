// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files that appear all together or not at all. Each is written in a hidden place beside its destination and moved when
 * {@link #commit()} is called; closing without a commit removes what was written. Where the system refuses a place, a
 * {@link UserException} with {@link ErrorCode#OUTPUT_FAILED} says which and why.
 */
public final class Output implements AutoCloseable {
    private interface Creator {
        Path create(Path path, FileAttribute<?>... attributes) throws IOException;
    }

    private interface Step<T> {
        T take() throws IOException;
    }

    private record Pending(Path staged, Path target, boolean directory) {}

    private final List<Pending> pending = new ArrayList<>();
    private final List<Path> scratch = new ArrayList<>();
    private boolean committed;

    /**
     * Demands that a file that will be written is none of those that are read.
     *
     * @throws UserException with {@link ErrorCode#OPTION_INVALID}
     */
    public static void demandNoInput(Path target, Collection<Path> inputs) throws IOException {
        if (!Files.exists(target)) {
            return;
        }
        for (Path input : inputs) {
            if (Files.exists(input) && Files.isSameFile(target, input)) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        target + " is an input; an output never overwrites it",
                        "Write elsewhere; if it is an earlier output, remove it.");
            }
        }
    }

    /** A place to write a file that will become {@code target}. Missing parent directories are made. */
    public Path file(Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path staged = beside(absolute, suffixOf(absolute), Files::createFile);
        pending.add(new Pending(staged, absolute, false));
        return staged;
    }

    /**
     * A directory to write files in, which will be moved into {@code target} one by one; other files there stay as
     * they are.
     */
    public Path directory(Path target) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path staged = beside(absolute, "", Files::createDirectory);
        pending.add(new Pending(staged, absolute, true));
        return staged;
    }

    /** Where the file that will become {@code target} stands for now; null when there is none. */
    public @Nullable Path staged(Path target) {
        Path absolute = target.toAbsolutePath();
        Path found = null;
        for (Pending p : pending) {
            found = !p.directory && p.target.equals(absolute) ? p.staged : found;
        }
        return found;
    }

    /** Where the files and folders that were asked for will stand, in that order. */
    public List<Path> targets() {
        return pending.stream().map(Pending::target).toList();
    }

    /**
     * A place for a file that nobody shall see, beside {@code target}. It is removed at the end, whatever that is; the
     * caller may do so earlier.
     */
    public Path scratch(Path target) throws IOException {
        Path file = beside(target.toAbsolutePath(), ".scratch", Files::createFile);
        scratch.add(file);
        return file;
    }

    /** Moves everything into place. */
    public void commit() throws IOException {
        for (Pending p : pending) {
            permitted(() -> p.directory ? moveInto(p.staged, p.target) : move(p.staged, p.target));
        }
        committed = true;
    }

    @Override
    public void close() {
        scratch.forEach(Output::delete);
        if (!committed) {
            pending.forEach(p -> delete(p.staged));
        }
    }

    private static Path beside(Path absolute, String suffix, Creator creator) throws IOException {
        return permitted(() -> unused(Files.createDirectories(parentOf(absolute)), suffix, creator));
    }

    private static <T> T permitted(Step<T> step) throws IOException {
        try {
            return step.take();
        } catch (FileSystemException e) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + Objects.requireNonNullElse(e.getOtherFile(), e.getFile()) + ": " + reason(e),
                    "Nothing that belongs together with it is complete.",
                    e);
        }
    }

    private static String reason(FileSystemException refusal) {
        return switch (refusal) {
            case AccessDeniedException e -> "permission denied";
            case FileAlreadyExistsException e -> "a file stands where a folder is needed";
            default -> Objects.requireNonNullElse(refusal.getReason(), "refused");
        };
    }

    private static void delete(Path staged) {
        try {
            deleteTree(staged);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes what nobody else has. Not {@link Files#createTempFile}: that one hides the file from everyone but its owner,
     * and the permissions would stay after the move.
     */
    private static Path unused(Path parent, String suffix, Creator creator) throws IOException {
        long process = ProcessHandle.current().pid();
        Path path = parent.resolve(".lockstep-" + process + suffix);
        for (int i = 2; ; i++) {
            try {
                return creator.create(path);
            } catch (FileAlreadyExistsException e) {
                path = parent.resolve(".lockstep-" + process + "-" + i + suffix);
            }
        }
    }

    private static Path parentOf(Path absolute) {
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    private static String suffixOf(Path path) {
        String name = String.valueOf(path.getFileName());
        int dot = name.indexOf('.', 1);
        return dot < 0 ? "" : name.substring(dot);
    }

    private static Path moveInto(Path staged, Path target) throws IOException {
        Files.createDirectories(target);
        List<Path> files;
        try (Stream<Path> walk = Files.walk(staged)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            Path destination = target.resolve(staged.relativize(file).toString());
            Files.createDirectories(parentOf(destination));
            move(file, destination);
        }
        deleteTree(staged);
        return target;
    }

    private static Path move(Path from, Path to) throws IOException {
        try {
            return Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            return Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
