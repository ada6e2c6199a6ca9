// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native code once for the process. It comes out of the jar, into a folder that nobody else can enter and
 * that is gone again when the code is loaded, or at the latest when the process ends.
 */
final class NativeLibrary {
    private static final String FOLDER_PROPERTY = "org.sqlite.tmpdir";
    private static boolean loaded;

    private NativeLibrary() {}

    static synchronized void load() throws IOException {
        if (loaded) {
            return;
        }
        Path folder = Files.createTempDirectory(
                "lockstep-sqlite-" + ProcessHandle.current().pid() + "-");
        String before = System.getProperty(FOLDER_PROPERTY);
        System.setProperty(FOLDER_PROPERTY, folder.toString());
        try {
            SQLiteJDBCLoader.initialize();
            loaded = true;
        } catch (Exception e) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    "SQLite's native code cannot be loaded: " + e.getMessage(),
                    "The temporary folder (java.io.tmpdir) must allow running code: set it with LOCKSTEP_JAVA_OPTS.",
                    e);
        } finally {
            if (before == null) {
                System.clearProperty(FOLDER_PROPERTY);
            } else {
                System.setProperty(FOLDER_PROPERTY, before);
            }
            remove(folder);
        }
    }

    /** Where a loaded library cannot be removed, it is when the process ends. */
    private static void remove(Path folder) {
        folder.toFile().deleteOnExit();
        List<Path> files;
        try (Stream<Path> inside = Files.list(folder)) {
            files = inside.toList();
        } catch (IOException e) {
            return;
        }
        for (Path file : files) {
            file.toFile().deleteOnExit();
        }
        try {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            System.getLogger(NativeLibrary.class.getName())
                    .log(System.Logger.Level.DEBUG, "removed when the process ends: " + folder, e);
        }
    }
}
