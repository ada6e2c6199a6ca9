// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.bench.Megabytes;
import dev.lockstep.bench.Samples;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.StreamSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast text becomes columns on one core, with all checks, and without reading, joining and sorting: {@code events}
 * is what a worker of the reader does with its blocks, {@code skip} is the cursor alone, which checks every value and
 * keeps none. The blocks are cut before the clock starts. The figures to look at are {@code MB}, megabytes of text a
 * second, and on a machine that has other work {@code MB} divided by {@code cores}.
 *
 * <p>{@code ./lockstep-bench Scanner}, {@code ./lockstep-bench -p megabytes=600 Scanner.events},
 * {@code ./lockstep-bench -Dlockstep.trace=FILE Scanner}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class ScannerBenchmark {
    @Param("64")
    private int megabytes;

    private List<ChunkReader.Chunk> blocks;

    @Setup
    public void prepare() throws IOException, Stop {
        Path scratch = Samples.scratch();
        byte[] text;
        try {
            text = Samples.text(Samples.file(scratch, megabytes));
        } finally {
            Samples.delete(scratch);
        }
        int first = EventBoundary.next(text, listOfEvents(text), text.length);
        if (first < 0) {
            throw new IllegalArgumentException("the trace holds no event");
        }
        int length = text.length - first;
        ChunkReader reader = new ChunkReader(new StreamSource(new ByteArrayInputStream(text, first, length)), length);
        blocks = new ArrayList<>();
        for (ChunkReader.Chunk block = reader.next(); block != null; block = reader.next()) {
            blocks.add(block);
        }
        // A benchmark that stops early would shine: both must come to the end of every block, over the same events.
        long parsed = events(new Megabytes());
        long skipped = skip(new Megabytes());
        if (parsed != skipped) {
            throw new IllegalStateException(parsed + " events were parsed but " + skipped + " values skipped");
        }
    }

    /** The place of the key {@code traceEvents}: what precedes it may look like events. */
    private static int listOfEvents(byte[] text) {
        byte[] key = "\"traceEvents\"".getBytes(StandardCharsets.US_ASCII);
        for (int p = 0; p + key.length <= text.length; p++) {
            if (Arrays.equals(text, p, p + key.length, key, 0, key.length)) {
                return p;
            }
        }
        return 0;
    }

    @Benchmark
    public long events(Megabytes counter) {
        long events = 0;
        long bytes = 0;
        for (ChunkReader.Chunk block : blocks) {
            EventParser parser = new EventParser(EventParser.builderFor(block.length(), false), true);
            EventParser.End end = parser.parse(block.bytes(), 0, block.length(), block.offset(), block.last());
            parser.finish();
            if (end != (block.last() ? EventParser.End.CLOSED : EventParser.End.OPEN)) {
                throw new IllegalStateException(end + " at " + (block.offset() + parser.position()));
            }
            events += parser.events();
            bytes += parser.position();
        }
        counter.add(bytes);
        return events;
    }

    @Benchmark
    public long skip(Megabytes counter) throws Stop {
        JsonCursor cursor = new JsonCursor();
        long values = 0;
        long bytes = 0;
        for (ChunkReader.Chunk block : blocks) {
            cursor.set(block.bytes(), 0, block.length());
            int c = cursor.peek();
            while (cursor.pos < block.length() && c != ']') {
                if (c == ',') {
                    cursor.pos++;
                } else {
                    cursor.skip();
                    values++;
                }
                c = cursor.peek();
            }
            bytes += cursor.pos;
        }
        counter.add(bytes);
        return values;
    }
}
