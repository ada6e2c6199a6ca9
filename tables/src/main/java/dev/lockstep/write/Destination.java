// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * What stands where an output shall go. A file, or nothing yet, is replaced as a whole. Bytes are poured into pipes, character
 * devices, open descriptors and, as {@code -}, standard output. A link stays what it is: its target is meant. Everything
 * else is refused.
 *
 * @param named as the user said it
 * @param place without links
 * @param isStream whether bytes are poured into it
 */
record Destination(Path named, Path place, boolean isStream) {
    private static final Set<Path> STANDARD_OUTPUT =
            Set.of(Path.of("-"), Path.of("/dev/stdout"), Path.of("/dev/fd/1"), Path.of("/proc/self/fd/1"));
    private static final Set<Path> STANDARD_ERROR =
            Set.of(Path.of("/dev/stderr"), Path.of("/dev/fd/2"), Path.of("/proc/self/fd/2"));

    private static final int MOST_LINKS = 40;
    private static final int TYPE_MASK = 0xF000;
    private static final int PIPE = 0x1000;
    private static final int CHARACTER_DEVICE = 0x2000;

    /** Where a file shall go. */
    static Destination ofFile(Path target) throws IOException {
        if (STANDARD_OUTPUT.contains(target)) {
            return new Destination(target, Path.of("/dev/stdout"), true);
        }
        if (STANDARD_ERROR.contains(target)) {
            return new Destination(target, Path.of("/dev/stderr"), true);
        }
        Path place = withoutLinks(target);
        if (!Files.exists(place)) {
            return new Destination(target, place, false);
        }
        BasicFileAttributes found = Files.readAttributes(place, BasicFileAttributes.class);
        if (found.isDirectory()) {
            throw refused(target, "a folder stands there, expected a file or nothing");
        }
        boolean descriptor = isDescriptor(place);
        if (descriptor && !OpenFile.of(place).isWritable()) {
            throw refused(target, "no file is open for writing under this number");
        }
        if (found.isRegularFile() || (descriptor && takesBytes(place))) {
            return new Destination(target, place, descriptor);
        }
        if (!takesBytes(place)) {
            throw refused(target, "it is neither a file nor a pipe nor a character device");
        }
        return new Destination(target, place, true);
    }

    /** Where a folder of files shall go. */
    static Destination ofFolder(Path target) throws IOException {
        if (STANDARD_OUTPUT.contains(target) || (Files.exists(target) && !Files.isDirectory(target))) {
            throw refused(target, "a folder of files is written, and this is none");
        }
        return new Destination(target, real(target), false);
    }

    /** A path without links, and without steps back and on the spot, also where there is nothing yet. */
    static Path real(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        return Files.exists(absolute) ? absolute.toRealPath() : withoutLinksAbove(absolute);
    }

    /** As above; but what stands there itself may be a link. */
    static Path withoutLinksAbove(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null || path.getFileName() == null) {
            return path;
        }
        return real(parent).resolve(path.getFileName()).normalize();
    }

    /** Pours a file into the stream. */
    void pour(Path file) throws IOException {
        if (STANDARD_OUTPUT.contains(named) || STANDARD_ERROR.contains(named)) {
            // not closed: others go on writing there
            OutputStream out =
                    new FileOutputStream(STANDARD_OUTPUT.contains(named) ? FileDescriptor.out : FileDescriptor.err);
            Files.copy(file, out);
            out.flush();
            return;
        }
        if (isDescriptor(place) && Files.isRegularFile(place)) {
            OpenFile.of(place).goOn(file);
            return;
        }
        try (OutputStream out = Files.newOutputStream(place, StandardOpenOption.WRITE)) {
            Files.copy(file, out);
        }
    }

    private static Path withoutLinks(Path target) throws IOException {
        Path place = target.toAbsolutePath();
        for (int links = 0; Files.isSymbolicLink(place) && !isDescriptor(place); links++) {
            if (links == MOST_LINKS) {
                throw refused(target, "its links lead in a circle");
            }
            place = place.resolveSibling(Files.readSymbolicLink(place));
        }
        return isDescriptor(place) ? place : withoutLinksAbove(place);
    }

    /** Whether a path leads to an open file by its number. */
    private static boolean isDescriptor(Path path) {
        Path parent = path.getParent();
        return parent != null
                && parent.getNameCount() >= 2
                && parent.endsWith("fd")
                && (parent.startsWith("/proc") || parent.startsWith("/dev"));
    }

    private static boolean takesBytes(Path path) throws IOException {
        try {
            int type = (int) Files.getAttribute(path, "unix:mode") & TYPE_MASK;
            return type == PIPE || type == CHARACTER_DEVICE;
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        }
    }

    private static UserException refused(Path target, String reason) {
        return new UserException(
                ErrorCode.OUTPUT_FAILED, "cannot write " + target + ": " + reason, "Name another place.");
    }
}
