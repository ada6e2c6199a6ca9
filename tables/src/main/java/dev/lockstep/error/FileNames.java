// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of files as texts. A file's name is bytes, which need be no text in the encoding of the machine; as a text it then has
 * U+FFFD in place of what is none, on command lines as in messages. Such a text stands for the one file that is shown so.
 *
 * @hidden for the program's own modules
 */
public final class FileNames {
    private static final char NO_TEXT = '\uFFFD';

    private FileNames() {}

    /**
     * {@return the path that a text stands for; there need be nothing}
     *
     * @param name of a file or folder, as people write it or {@link Path#toString} shows it
     * @throws UserException when several files are shown so
     * @throws InvalidPathException when nothing is shown so, and the text can be no path
     */
    public static Path path(String name) {
        if (name.indexOf(NO_TEXT) < 0) {
            return Path.of(name);
        }
        Path path = Path.of(name.startsWith("/") ? "/" : "");
        for (String part : name.split("/")) {
            if (!part.isEmpty()) {
                path = part.indexOf(NO_TEXT) < 0 ? path.resolve(part) : within(path, part, name);
            }
        }
        return path;
    }

    /**
     * {@return the text with underscores for what is none, for names of files that are made}
     *
     * @param name as {@link Path#toString} shows it
     */
    public static String text(String name) {
        return name.replace(NO_TEXT, '_');
    }

    private static Path within(Path folder, String part, String name) {
        List<Path> shown = new ArrayList<>();
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder.resolve(""))) {
            for (Path path : inside) {
                if (String.valueOf(path.getFileName()).equals(part)) {
                    shown.add(folder.resolve(path.getFileName()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return folder.resolve(part); // nothing is known of it
        }
        if (shown.size() > 1) {
            return exact(folder, part, name);
        }
        return shown.isEmpty() ? folder.resolve(part) : shown.getFirst();
    }

    /** That of several that has this name in truth. */
    private static Path exact(Path folder, String part, String name) {
        try {
            Path path = folder.resolve(part);
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return path;
            }
        } catch (InvalidPathException e) {
            // it is one of the others
        }
        throw new UserException(
                ErrorCode.INPUT_NOT_FOUND,
                name + ": several files are shown so, whose names are no text here",
                "Name their folder, or give them other names.");
    }
}
