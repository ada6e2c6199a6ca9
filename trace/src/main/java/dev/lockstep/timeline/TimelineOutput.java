// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;

/** A file of timelines that is being written. What was added need not be kept by the caller. Confined to one thread. */
public interface TimelineOutput extends Closeable {
    /** Writes one rank. */
    void add(RankTimeline rank) throws IOException;

    /**
     * Ends the file.
     *
     * @param metadata what concerns the whole file: key to JSON text, written in this order
     */
    void finish(Map<String, String> metadata) throws IOException;
}
