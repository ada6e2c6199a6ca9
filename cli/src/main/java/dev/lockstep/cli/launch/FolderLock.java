// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other launches out of a folder until it is closed or its process ends, however that happens. Where the file system
 * has no locks, nobody is kept out.
 */
final class FolderLock implements AutoCloseable {
    /** What is locked is a byte behind the text, so that others can read who holds it. */
    private static final long LOCKED = Long.MAX_VALUE - 1;

    private static final int LONGEST_TEXT = 256;

    private final Path file;
    private final @Nullable FileChannel channel;

    private FolderLock(Path file, @Nullable FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param folder exists
     * @param nodes each of which has a launch there
     * @throws UserException if another launch has it, or a link stands in its place
     */
    static FolderLock of(Path folder, LaunchNodes nodes) throws IOException {
        Path file = LaunchPlaces.file(folder.resolve(nodes.own(".lockstep_launch")));
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        try {
            if (channel.tryLock(LOCKED, 1, false) == null) {
                throw taken(folder, channel);
            }
            byte[] owner = owner().getBytes(StandardCharsets.UTF_8);
            channel.truncate(0).write(ByteBuffer.wrap(owner));
            return new FolderLock(file, channel);
        } catch (OverlappingFileLockException e) {
            throw taken(folder, channel);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(file);
            return new FolderLock(file, null);
        }
    }

    private static String owner() {
        return "process " + ProcessHandle.current().pid() + " on " + EnvironmentCapture.hostName();
    }

    private static UserException taken(Path folder, FileChannel channel) {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_TEXT);
        try (channel) {
            channel.read(text, 0);
        } catch (IOException e) {
            text.clear(); // who it is remains unknown
        }
        String owner = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
        return new UserException(
                ErrorCode.OPTION_INVALID,
                "another launch writes into " + folder + (owner.isEmpty() ? "" : ": " + owner),
                "wait for its end or stop it; --output goes elsewhere");
    }

    /** Lets others in. The file goes first: whoever opens it afterwards makes it anew. */
    @Override
    public void close() throws IOException {
        if (channel != null) {
            try (channel) {
                Files.deleteIfExists(file);
            }
        }
    }
}
