// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta;

import dev.lockstep.model.Trace;
import dev.lockstep.write.JsonBytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The merge of AORTA's {@code merge_gpu_trace_ranks.py}: GPU work and the host's context of it, two processes for each
 * rank, everything else dropped. Ids of ranks stay as they are, also where they are equal. Ranks are added one by one.
 */
public final class AortaMerge implements Closeable {
    private static final int FLUSH_AT = 1 << 20;

    private final OutputStream out;
    private final JsonBytes text = new JsonBytes(FLUSH_AT + (FLUSH_AT >> 2));
    private boolean anyEvent;

    /** @param out takes the file; closed with this */
    public AortaMerge(OutputStream out) {
        this.out = out;
        text.text("{\"traceEvents\": [");
    }

    /**
     * What was taken from a rank.
     *
     * @param gpu events on devices
     * @param cpu events of the host around them
     */
    public record Added(long gpu, long cpu) {}

    /**
     * Adds a rank.
     *
     * @param trace read to keep everything
     * @param rank the number by which it goes here
     */
    public Added add(Trace trace, int rank) throws IOException {
        AortaRank events = new AortaRank(trace, rank);
        for (int i = 0; i < events.size(); i++) {
            if (events.isKept(i)) {
                separate();
                events.write(i, text);
                if (text.size() >= FLUSH_AT) {
                    flush();
                }
            }
        }
        return events.added();
    }

    /**
     * Names the processes and ends the file.
     *
     * @param ranks number of ranks to name, those included that were not added
     * @return number of events that name them
     */
    public int finish(int ranks) throws IOException {
        for (int rank = 0; rank < ranks; rank++) {
            process(rank * AortaRank.STRIDE, "Rank " + rank + " - GPU Stream", 2 * rank);
            process(rank * AortaRank.STRIDE + AortaRank.HOST, "Rank " + rank + " - CPU/CUDA Runtime", 2 * rank + 1);
        }
        text.text("]}");
        flush();
        return 4 * ranks;
    }

    private void process(int id, String name, int order) {
        String head = "{\"pid\": " + id + ", \"tid\": 0, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"name\": ";
        separate();
        text.text(head + "\"process_name\", \"args\": {\"name\": \"" + name + "\"}}");
        separate();
        text.text(head + "\"process_sort_index\", \"args\": {\"sort_index\": " + order + "}}");
    }

    private void separate() {
        if (anyEvent) {
            text.put(SEPARATOR);
        }
        anyEvent = true;
    }

    private static final byte[] SEPARATOR = ", ".getBytes(StandardCharsets.US_ASCII);

    private void flush() throws IOException {
        out.write(text.array(), 0, text.size());
        text.clear();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
