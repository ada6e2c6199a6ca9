// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.write.BlockFile;
import dev.lockstep.write.OrderedBlocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A JSON file of timelines. Events are turned into text and packed in blocks of one fixed number of events. */
final class ChromeJsonOutput implements TimelineOutput {
    private static final int EVENTS = 1 << 12;
    private static final byte[] BEGIN = "{\"traceEvents\":[".getBytes(StandardCharsets.US_ASCII);

    private final BlockFile file;
    private final OrderedBlocks blocks;
    private boolean begun;
    private boolean anyEvent;

    ChromeJsonOutput(Path target, TraceWriter.Options options) throws IOException {
        file = new BlockFile(target, options.packed());
        blocks = new OrderedBlocks(file, options.executor(), options.parallelism());
    }

    @Override
    public void add(RankTimeline rank) throws IOException {
        if (!begun) {
            begun = true;
            blocks.add(text -> text.put(BEGIN));
        }
        if (rank.processes().isEmpty()) {
            return;
        }
        JsonTimeline events = new JsonTimeline(rank);
        boolean first = !anyEvent;
        anyEvent = true;
        blocks.add(text -> events.metadata(text, first));
        for (int from = 0; from < rank.slices().length; from += EVENTS) {
            int begin = from;
            int end = Math.min(from + EVENTS, rank.slices().length);
            blocks.add(text -> events.slices(text, begin, end));
        }
        for (int from = 0; from < rank.marks().length; from += EVENTS) {
            int begin = from;
            int end = Math.min(from + EVENTS, rank.marks().length);
            blocks.add(text -> events.marks(text, begin, end));
        }
    }

    @Override
    public void finish(Map<String, String> metadata) throws IOException {
        blocks.add(text -> {
            if (!begun) {
                text.put(BEGIN);
            }
            text.text("\n]");
            metadata.forEach((key, value) -> {
                text.text(",\n");
                text.quoted(key);
                text.put(':');
                text.text(value);
            });
            text.text("\n}\n");
        });
        blocks.drain();
        file.finish();
    }

    @Override
    public void close() throws IOException {
        blocks.abandon();
        file.close();
    }
}
