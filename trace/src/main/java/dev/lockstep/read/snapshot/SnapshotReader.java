// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.snapshot;

import dev.lockstep.codec.PickleBytes;
import dev.lockstep.codec.PlainPickle;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.util.List;

/** Reads what {@code torch.cuda.memory._dump_snapshot} writes: the history of the allocator of each device, and its segments. */
public final class SnapshotReader implements TraceReader {
    private static final int LAST_PROTOCOL = 5;

    @Override
    public TraceFormat format() {
        return TraceFormat.SNAPSHOT;
    }

    @Override
    public boolean isOfRank() {
        return false;
    }

    @Override
    public boolean recognises(byte[] head) {
        if (head.length < 2) {
            return false;
        }
        int first = head[0] & 0xFF;
        return first == 0x80 && head[1] >= 2 && head[1] <= LAST_PROTOCOL
                || first == '(' && head[1] == 'd'
                || first == '}' && (head[1] == 'q' || head[1] == '(');
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        if (content.head().length == 0) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    input.name(),
                    0,
                    "the file is empty, expected a pickle",
                    TraceFormat.SNAPSHOT.hint());
        }
        PickleBytes bytes = new PickleBytes(input.name(), content, options.progress(), TraceFormat.SNAPSHOT.hint());
        Object value = PlainPickle.read(bytes);
        return List.of(new SnapshotDocument(input, bytes, diagnostics).trace(value));
    }
}
