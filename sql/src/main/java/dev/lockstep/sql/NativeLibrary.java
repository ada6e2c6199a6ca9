// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.write.ScratchFolder;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native code once for the process. It comes out of the jar, into a scratch folder that is gone again when the
 * code is loaded.
 */
final class NativeLibrary {
    private static final String FOLDER_PROPERTY = "org.sqlite.tmpdir";
    private static boolean loaded;
    private static @Nullable String failure;

    private NativeLibrary() {}

    static synchronized void load() {
        if (loaded) {
            return;
        }
        if (failure != null) {
            throw failed(failure); // another try would end no other way
        }
        String before = System.getProperty(FOLDER_PROPERTY);
        try (ScratchFolder folder = ScratchFolder.temporary()) {
            System.setProperty(FOLDER_PROPERTY, folder.path().toString());
            SQLiteJDBCLoader.initialize();
            loaded = true;
        } catch (UserException e) {
            throw e;
        } catch (Exception e) {
            failure = String.valueOf(e.getMessage());
            UserException failed = failed(failure);
            failed.initCause(e);
            throw failed;
        } finally {
            if (before == null) {
                System.clearProperty(FOLDER_PROPERTY);
            } else {
                System.setProperty(FOLDER_PROPERTY, before);
            }
        }
    }

    private static UserException failed(String reason) {
        return new UserException(
                ErrorCode.MODULE_MISSING,
                "SQLite's native code cannot be loaded: " + reason,
                "The temporary folder (java.io.tmpdir) must allow running code: set it with LOCKSTEP_JAVA_OPTS.");
    }
}
