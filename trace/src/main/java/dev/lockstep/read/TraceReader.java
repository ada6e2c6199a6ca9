// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import java.io.IOException;
import java.util.List;

/** Reads one format. Stateless; one instance serves all files. */
public interface TraceReader {
    /** The format that is read: what its files are called, and what to do about those that cannot be read. */
    TraceFormat format();

    /** Whether files hold what a rank of a run did, so that folders of runs are searched for them. */
    default boolean isOfRank() {
        return true;
    }

    /** Whether the content looks like this format. Judges by the first bytes of the unpacked content alone. */
    boolean recognises(byte[] head);

    /**
     * Reads all ranks that the input holds, in order of rank.
     *
     * @param content the unpacked content; the caller closes it
     * @param diagnostics holds what is already known to be wrong with the packing; goes into the trace
     * @throws TraceFormatException when nothing can be used; the message has file, position and what was expected
     */
    List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException;
}
