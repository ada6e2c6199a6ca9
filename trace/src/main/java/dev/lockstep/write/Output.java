// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files that appear all together or not at all. Each is written in a {@link ScratchFolder} beside its destination and moved
 * when {@link #commit()} is called; what goes into a pipe, a character device or, as {@code -}, to standard output is made
 * among the temporary files and poured there then. Closing without a commit removes what was written, and folders that were
 * made for it. Where the system refuses a place, a {@link UserException} with {@link ErrorCode#OUTPUT_FAILED} says which and
 * why.
 */
public final class Output implements AutoCloseable {
    private interface Step<T> {
        T take() throws IOException;
    }

    private record Pending(Path staged, Destination target, boolean directory) {}

    private final List<Pending> pending = new ArrayList<>();
    /** Where files are written, by the folder that they will lie in. */
    private final Map<Path, Path> beside = new HashMap<>();

    private final List<ScratchFolder> scratch = new ArrayList<>();
    private int unnamed;

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

    /**
     * A place to write a file that will become {@code target}, under the same name. Missing parent directories are made.
     *
     * @throws UserException also when two outputs shall go to one place
     */
    public Path file(Path target) throws IOException {
        return permitted(target, () -> {
            Destination to = Destination.ofFile(target);
            for (Pending other : pending) {
                if (!other.directory && other.target.place().equals(to.place())) {
                    throw new UserException(
                            ErrorCode.OPTION_INVALID, target + " is named for two outputs", "Name two places.");
                }
            }
            String name = nameOf(to.place());
            Path staged = Files.createFile(scratchFor(to).resolve(to.isStream() ? ++unnamed + "-" + name : name));
            pending.add(new Pending(staged, to, false));
            return staged;
        });
    }

    /**
     * A directory to write files in, which will be moved into {@code target} one by one; other files there stay as
     * they are.
     */
    public Path directory(Path target) throws IOException {
        return permitted(target, () -> {
            Destination to = Destination.ofFolder(target);
            Path staged = Files.isDirectory(to.place())
                    ? scratchIn(to.place())
                    : Files.createDirectory(scratchIn(parentOf(to.place())).resolve(nameOf(to.place())));
            pending.add(new Pending(staged, to, true));
            return staged;
        });
    }

    /** Where the file that will become {@code target} stands for now; null when there is none. */
    public @Nullable Path staged(Path target) {
        Path absolute = target.toAbsolutePath();
        Path found = null;
        for (Pending p : pending) {
            found = !p.directory && p.target.named().toAbsolutePath().equals(absolute) ? p.staged : found;
        }
        return found;
    }

    /** Where the files and folders that were asked for will stand, in that order. */
    public List<Path> targets() {
        return pending.stream().map(p -> p.target.named().toAbsolutePath()).toList();
    }

    /**
     * A place for a file that nobody shall see, beside {@code target}. It is removed at the end, whatever that is; the
     * caller may do so earlier.
     */
    public Path scratch(Path target) throws IOException {
        return permitted(
                target,
                () -> Files.createFile(scratchFor(Destination.ofFile(target)).resolve(++unnamed + ".scratch")));
    }

    /** A folder for files that nobody shall see, beside {@code target}. It is removed at the end, whatever that is. */
    public Path scratchFolder(Path target) throws IOException {
        return permitted(
                target,
                () -> Files.createDirectory(
                        scratchFor(Destination.ofFolder(target)).resolve(++unnamed + ".scratch")));
    }

    /** Moves everything into place; what is poured goes first, since nothing else can fail so easily. */
    public void commit() throws IOException {
        for (Pending p : pending) {
            if (p.target.isStream()) {
                pour(p);
            }
        }
        for (Pending p : pending) {
            if (!p.target.isStream()) {
                permitted(
                        p.target.named(),
                        () -> p.directory ? moveInto(p.staged, p.target.place()) : move(p.staged, p.target.place()));
            }
        }
    }

    /** Removes what was not committed, and folders that were made for it and are empty; may be called again. */
    @Override
    public void close() {
        scratch.reversed().forEach(ScratchFolder::close);
    }

    private Path scratchFor(Destination to) throws IOException {
        Path parent = to.isStream() ? Path.of("-") : parentOf(to.place());
        Path folder = beside.get(parent);
        if (folder == null) {
            folder = kept(to.isStream() ? ScratchFolder.temporary() : ScratchFolder.in(parent));
            beside.put(parent, folder);
        }
        return folder;
    }

    private Path scratchIn(Path parent) throws IOException {
        return kept(ScratchFolder.in(parent));
    }

    private Path kept(ScratchFolder folder) {
        scratch.add(folder);
        return folder.path();
    }

    private static void pour(Pending p) {
        try {
            p.target.pour(p.staged);
        } catch (IOException e) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + p.target.named() + ": "
                            + (e instanceof FileSystemException refusal ? reason(refusal) : e.getMessage()),
                    "What stands there is not complete; other outputs were not written.",
                    e);
        }
    }

    private static <T> T permitted(Path target, Step<T> step) throws IOException {
        try {
            return step.take();
        } catch (FileSystemException e) {
            String place = ScratchFolder.withoutScratch(Objects.requireNonNullElse(
                    Objects.requireNonNullElse(e.getOtherFile(), e.getFile()), target.toString()));
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + target + ": " + (place.equals(target.toString()) ? "" : place + ": ") + reason(e),
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

    private static Path parentOf(Path absolute) {
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    private static String nameOf(Path path) {
        return path.getFileName() == null ? "output" : path.getFileName().toString();
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
        return target;
    }

    private static Path move(Path from, Path to) throws IOException {
        try {
            return Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            return Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
