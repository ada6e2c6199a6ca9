// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.GzipSource;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file with a schedule: text or binary, told by its content, packed with gzip or not.
 *
 * @param path where it is; stands in every message as given
 */
public record GoalFile(Path path) {
    private static final int HEAD = 8;

    /**
     * Reads the schedule.
     *
     * @param flawsInWords how many flaws are described; all are counted
     * @throws TraceFormatException when the file is no schedule; the message has the line or byte and what was expected
     */
    public StoredSchedule read(int flawsInWords) throws IOException {
        Flaws flaws = new Flaws(flawsInWords);
        try (PrefixedSource source = open(flaws)) {
            return isBinary(source.head())
                    ? new StoredSchedule(new GoalBinary(path.toString(), source, flaws).read(), flaws)
                    : new StoredSchedule(new GoalText(path.toString(), source, flaws, null).read(), flaws);
        }
    }

    void locate(Places places) throws IOException {
        try (PrefixedSource source = open(new Flaws(0))) {
            if (!isBinary(source.head())) {
                new GoalText(path.toString(), source, new Flaws(0), places).read();
            }
        }
    }

    private PrefixedSource open(Flaws flaws) throws IOException {
        PrefixedSource file = withHead(new StreamSource(NamedFiles.in(path)));
        if (!GzipSource.matches(file.head(), file.head().length)) {
            return file;
        }
        return withHead(new GzipSource(file, (loss, code, message, position) -> {
            if (loss) {
                flaws.add("byte " + position + ": " + message);
            }
        }));
    }

    private static PrefixedSource withHead(ByteSource source) throws IOException {
        byte[] head = new byte[HEAD];
        int n = source.fill(head, 0, HEAD);
        return new PrefixedSource(n == HEAD ? head : Arrays.copyOf(head, n), source);
    }

    private static boolean isBinary(byte[] head) {
        return head.length == HEAD
                && (head[0] & 0xFF | (head[1] & 0xFF) << 8) > 0
                && head[2] == 0
                && head[3] == 0
                && head[4] == 0;
    }
}
