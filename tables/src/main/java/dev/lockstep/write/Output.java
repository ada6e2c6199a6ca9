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
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    private record Pending(Path staged, Destination target, boolean directory) {
        /** The files that will be moved, by the places that they will have. */
        Map<Path, Path> moves() throws IOException {
            Map<Path, Path> moves = new LinkedHashMap<>();
            if (!directory) {
                moves.put(target.place(), staged);
                return moves;
            }
            try (Stream<Path> walk = Files.walk(staged)) {
                walk.filter(Files::isRegularFile)
                        .sorted()
                        .forEach(file -> moves.put(
                                target.place().resolve(staged.relativize(file).toString()), file));
            }
            return moves;
        }

        /** A place in the words of the user. */
        Path named(Path place) {
            return directory ? target.named().resolve(target.place().relativize(place)) : target.named();
        }
    }

    private final @Nullable Path within;
    private final List<Pending> pending = new ArrayList<>();
    /** Where files are written, by the folder that they will lie in. */
    private final Map<Path, Path> beside = new HashMap<>();

    private final List<ScratchFolder> scratch = new ArrayList<>();
    /** Files that are read, as the system knows them. */
    private final Set<Object> spared;

    private int unnamed;

    /** Files may go wherever they are named. */
    public Output() {
        this(null, new HashSet<>());
    }

    /**
     * Files that are named below a folder stay there: a link in it that leads out of it is refused.
     *
     * @param folder may be a link, and need not be there
     */
    public Output(Path folder) {
        this(folder.toAbsolutePath(), new HashSet<>());
    }

    private Output(@Nullable Path within, Set<Object> spared) {
        this.within = within;
        this.spared = spared;
    }

    /** {@return what other files go into that appear at another time; they spare the same inputs} */
    public Output another() {
        return new Output(within, spared);
    }

    /** Whether a file of that name is poured into something that keeps no files beside it: standard output, a pipe, a device. */
    public static boolean isStream(Path target) throws IOException {
        return Destination.ofFile(target).isStream();
    }

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
                throw isInput(target);
            }
        }
    }

    private static UserException isInput(Path target) {
        return new UserException(
                ErrorCode.OPTION_INVALID,
                target + " is an input; an output never overwrites it",
                "Write elsewhere, or remove it if it is an earlier output.");
    }

    /**
     * Says which files are read: none of those that are written takes the place of one, also within a folder.
     *
     * @param inputs files; what is none is passed over
     * @return this
     */
    public Output sparing(Collection<Path> inputs) throws IOException {
        for (Path input : inputs) {
            if (Files.isRegularFile(input)) {
                spared.add(identity(input));
            }
        }
        return this;
    }

    private static Object identity(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key == null ? file.toRealPath() : key;
    }

    /**
     * Demands that no link leads a place out of a folder that it is named below.
     *
     * @throws UserException with {@link ErrorCode#OUTPUT_FAILED}
     */
    public static void demandWithin(Path folder, Path place) throws IOException {
        permitted(place, () -> {
            demandInside(folder, place, Destination.real(place));
            return place;
        });
    }

    /**
     * A place to write a file that will become {@code target}, under the same name. Missing parent directories are made.
     *
     * @throws UserException also when two outputs shall go to one place
     */
    public Path file(Path target) throws IOException {
        return permitted(target, () -> {
            Destination to = Destination.ofFile(target);
            demandFree(to, false);
            String name = nameOf(to.place());
            Path staged = Files.createFile(scratchFor(to).resolve(to.isStream() ? ++unnamed + "-" + name : name));
            pending.add(new Pending(staged, to, false));
            return staged;
        });
    }

    /**
     * A directory to write files in, which will be moved into {@code target} one by one; other files there stay as
     * they are. None is moved through a link in it that leads out of it.
     *
     * @throws UserException also when a file shall stand there
     */
    public Path directory(Path target) throws IOException {
        return permitted(target, () -> {
            Destination to = Destination.ofFolder(target);
            demandFree(to, true);
            Path staged = Files.isDirectory(to.place())
                    ? scratchIn(to.place())
                    : Files.createDirectory(scratchIn(parentOf(to.place())).resolve(nameOf(to.place())));
            pending.add(new Pending(staged, to, true));
            return staged;
        });
    }

    /** Demands that no other output shall stand there, no file where a folder is needed, and no link leads there unnamed. */
    private void demandFree(Destination to, boolean directory) throws IOException {
        for (Pending other : pending) {
            Path place = other.target.place();
            if (!directory && place.startsWith(to.place())
                    || !other.directory && to.place().startsWith(place)) {
                throw twice(to.named());
            }
        }
        if (within != null && !to.isStream() && to.named().toAbsolutePath().startsWith(within)) {
            demandInside(within, to.named(), to.place());
        }
    }

    /** @param real where it would stand, without links above it */
    private static void demandInside(Path folder, Path named, Path real) throws IOException {
        if (!real.startsWith(Destination.real(folder))) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + named + ": a link leads out of " + folder + ", and nobody named it",
                    "Name the place itself, or remove the link.");
        }
    }

    private static UserException twice(Path place) {
        return new UserException(ErrorCode.OPTION_INVALID, place + " is named for two outputs", "Name two places.");
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
        demandFree();
        for (Pending p : pending) {
            if (p.target.isStream()) {
                pour(p);
            }
        }
        for (Pending p : pending) {
            if (!p.target.isStream()) {
                permitted(p.target.named(), () -> p.directory ? moveInto(p) : move(p.staged, p.target.place()));
            }
        }
    }

    /** Demands that no file takes the place of another one or of an input, and that none leaves its folder; a commit does, too. */
    public void demandFree() throws IOException {
        Set<Path> taken = new HashSet<>();
        for (Pending p : pending) {
            permitted(p.target.named(), () -> {
                Set<Path> folders = new HashSet<>();
                for (Path place : p.moves().keySet()) {
                    if (!taken.add(place)) {
                        throw twice(p.named(place));
                    }
                    if (!spared.isEmpty() && Files.isRegularFile(place) && spared.contains(identity(place))) {
                        throw isInput(p.named(place));
                    }
                    if (p.directory && folders.add(parentOf(place))) {
                        demandInside(p.target.named(), p.named(place), Destination.withoutLinksAbove(place));
                    }
                }
                return p;
            });
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
                    "Outputs there are incomplete, and others were not written. Delete them.",
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

    private static Path moveInto(Pending folder) throws IOException {
        Path target = Files.createDirectories(folder.target.place());
        for (Map.Entry<Path, Path> file : folder.moves().entrySet()) {
            Files.createDirectories(parentOf(file.getKey()));
            move(file.getValue(), file.getKey());
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
