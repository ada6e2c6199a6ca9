// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that nobody but their owner may read, where the file system knows owners. */
final class OwnerOnly {
    private static final FileAttribute<Set<PosixFilePermission>> PERMISSIONS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private OwnerOnly() {}

    /** Writes a new file, in the place of one that may be there. */
    static void write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Set<StandardOpenOption> fresh = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix ? new FileAttribute<?>[] {PERMISSIONS} : new FileAttribute<?>[0];
        try (SeekableByteChannel channel = Files.newByteChannel(file, fresh, attributes)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }
}
