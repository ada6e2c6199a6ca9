// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a file is open that is named by its number, as in {@code /dev/fd/7}: such a number may be one of the virtual machine's own
 * files, too, and opening it again would give rights that it does not have.
 *
 * @param file under its number
 * @param mode what it was opened with; as the system keeps it
 * @param position the byte that would be written next
 */
record OpenFile(Path file, int mode, long position) {
    private static final int ACCESS = 3;
    private static final int READ_ONLY = 0;
    private static final int APPEND = 02000;

    /** A file whose state the system does not tell is taken to be open for what is asked, which the system then checks. */
    static OpenFile of(Path file) throws IOException {
        Path numbers = Objects.requireNonNull(file.toAbsolutePath().getParent()).toRealPath();
        Path state = numbers.resolveSibling("fdinfo").resolve(file.getFileName());
        if (!Files.exists(state)) {
            return new OpenFile(file, ACCESS, 0);
        }
        Map<String, String> facts = new HashMap<>();
        NamedFiles.text(state).lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
            int colon = line.indexOf(':');
            facts.put(line.substring(0, colon), line.substring(colon + 1).strip());
        });
        return new OpenFile(
                file,
                Integer.parseInt(facts.getOrDefault("flags", "0"), 8),
                Long.parseLong(facts.getOrDefault("pos", "0")));
    }

    boolean isWritable() {
        return (mode & ACCESS) != READ_ONLY;
    }

    /** Writes behind what was written under this number before. */
    void goOn(Path content) throws IOException {
        boolean appends = (mode & APPEND) != 0;
        try (FileChannel out = FileChannel.open(file, appends ? StandardOpenOption.APPEND : StandardOpenOption.WRITE)) {
            if (!appends) {
                out.position(position);
            }
            Files.copy(content, Channels.newOutputStream(out));
        }
    }
}
