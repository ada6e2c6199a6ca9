// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that nobody but their owner may read, where the file system knows owners. */
final class OwnerOnly {
    private static final FileAttribute<Set<PosixFilePermission>> PERMISSIONS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private OwnerOnly() {}

    /** Writes a new file, in the place of one that may be there. */
    static void write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        Files.createFile(file, posix ? new FileAttribute<?>[] {PERMISSIONS} : new FileAttribute<?>[0]);
        NamedFiles.write(file, text);
    }
}
