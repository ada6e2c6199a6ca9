// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A hidden folder for files in the making, which nobody else can enter. It goes with all that is in it when it is closed and when a signal ends the
 * program, and so do folders that were made to hold it, if nothing else is in them by then. What a program left that was
 * killed is removed when the next scratch folder is made beside it: the name tells the process that it belongs to. Safe for
 * several threads.
 */
public final class ScratchFolder implements AutoCloseable {
    /** How long others may go on making files in a folder that is being removed. */
    private static final Duration LONGEST_REMOVAL = Duration.ofSeconds(2);

    private static final int PAUSE_MS = 10;

    /** How often a parent is made anew that others remove. */
    private static final int MOST_ATTEMPTS = 100;

    private static final Set<ScratchFolder> OPEN = ConcurrentHashMap.newKeySet();

    /** Is among those that are open when no further folder is made. */
    private static final ScratchFolder END = new ScratchFolder();

    /** Folders that were missing, the outermost first. */
    private final List<Path> parents = new ArrayList<>();

    private final Thread hook = new Thread(this::removeAtTheEnd, "lockstep-scratch");
    private @Nullable Path path;
    private boolean hasEnded;

    private ScratchFolder() {}

    /**
     * A new folder.
     *
     * @param parent is made if it is missing
     * @throws IOException when it cannot be made, also because the program is about to end
     */
    public static ScratchFolder in(Path parent) throws IOException {
        ScratchFolder folder = new ScratchFolder();
        OPEN.add(folder);
        try {
            Runtime.getRuntime().addShutdownHook(folder.hook);
        } catch (IllegalStateException e) {
            OPEN.remove(folder);
            throw new IOException(parent + ": the program is ending", e);
        }
        try {
            removeLeftovers(parent, folder.make(parent));
            return folder;
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    /** A signal's hook waits until this is done, or comes before it. */
    private synchronized Path make(Path parent) throws IOException {
        if (hasEnded || OPEN.contains(END)) {
            throw new IOException(parent + ": the program is ending");
        }
        Path made = madeIn(parent, parents);
        path = made;
        return made;
    }

    /**
     * A new folder among the system's temporary files.
     *
     * @throws UserException where there is no such place
     */
    public static ScratchFolder temporary() {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return in(parent.toRealPath());
        } catch (IOException e) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "the temporary folder " + parent + " cannot be used: "
                            + (Files.isDirectory(parent) ? "nothing can be written there" : "it is not there"),
                    "LOCKSTEP_JAVA_OPTS=-Djava.io.tmpdir=DIR names another one.",
                    e);
        }
    }

    /** Removes all folders that are open, where the program ends while something still works in them; no more are made. */
    public static void endAll() {
        OPEN.add(END);
        OPEN.forEach(ScratchFolder::remove);
    }

    /** Where it is. */
    public synchronized Path path() {
        return Objects.requireNonNull(path, "was made");
    }

    /** The text with places inside of scratch folders named as what will stand there. */
    public static String withoutScratch(String text) {
        return text.contains(".lockstep-")
                ? text.replaceAll(
                        "[/\\\\]" + ScratchOwner.FOLDER.pattern()
                                + "(?![\\w.-])([/\\\\][0-9]{1,9}\\.scratch(?![\\w.-]))?",
                        "")
                : text;
    }

    @Override
    public void close() {
        remove();
        OPEN.remove(this);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the end has begun; the hook finds nothing more to do
        }
    }

    /** Whoever made the parent may take it away again as long as it is empty; then it is made anew. */
    private static Path madeIn(Path parent, List<Path> made) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                make(parent, made);
                return unused(parent);
            } catch (NoSuchFileException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void make(Path folder, List<Path> made) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path above = folder.getParent();
        if (above != null) {
            make(above, made);
        }
        try {
            Files.createDirectory(folder);
            made.add(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private static void removeEmpty(List<Path> folders) {
        for (Path folder : folders.reversed()) {
            try {
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                return; // it holds what was made
            }
        }
    }

    /** Numbers are drawn: whoever removes a folder until it is gone must not meet the next one under the same name. */
    private static Path unused(Path parent) throws IOException {
        ScratchOwner owner = ScratchOwner.current();
        while (true) {
            try {
                int number = ThreadLocalRandom.current().nextInt(ScratchOwner.NUMBERS);
                return Files.createDirectory(parent.resolve(owner.folder(number)), ownersOnly(parent));
            } catch (FileAlreadyExistsException e) {
                // another thread drew the same
            }
        }
    }

    private static FileAttribute<?>[] ownersOnly(Path place) {
        return place.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Folders of others are left alone: whoever could put something else in their place must not choose what is removed. */
    private static void removeLeftovers(Path parent, Path own) {
        String numbered = String.valueOf(own.getFileName());
        String ours = numbered.substring(0, numbered.lastIndexOf('-') + 1);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, ".lockstep-*")) {
            for (Path folder : folders) {
                String name = String.valueOf(folder.getFileName());
                if (name.startsWith(ours)) {
                    continue; // this program may have thousands open
                }
                BasicFileAttributes found =
                        Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (found.isDirectory()
                        && ScratchOwner.of(name)
                                .filter(owner ->
                                        owner.isGone(found.lastModifiedTime().toInstant()))
                                .isPresent()
                        && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) {
                    deleteTree(folder);
                }
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            System.getLogger(ScratchFolder.class.getName()).log(System.Logger.Level.DEBUG, "left in " + parent, e);
        }
    }

    private void remove() {
        Path folder;
        synchronized (this) {
            hasEnded = true;
            folder = path;
        }
        long until = System.nanoTime() + LONGEST_REMOVAL.toNanos();
        while (folder != null && Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                deleteTree(folder);
            } catch (IOException e) {
                if (System.nanoTime() > until || !pause()) {
                    return; // the next run in this place removes it
                }
            }
        }
        removeEmpty(parents);
    }

    /** Then other folders go at the same time, which may hold what was made for them. */
    private void removeAtTheEnd() {
        remove();
        long until = System.nanoTime() + LONGEST_REMOVAL.toNanos();
        while (parents.stream().anyMatch(Files::exists)
                && System.nanoTime() < until
                && holdsNoFile(parents.getFirst())
                && pause()) {
            removeEmpty(parents);
        }
    }

    /** Whether there is nothing in a folder but other folders, and files in the making. */
    private static boolean holdsNoFile(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.noneMatch(file -> Files.isRegularFile(file)
                    && !ScratchOwner.FOLDER.matcher(file.toString()).find());
        } catch (IOException | UncheckedIOException e) {
            return true; // others are removing what is in it
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void deleteTree(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
