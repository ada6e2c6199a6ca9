// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.read.torch.EventBlocks;
import java.io.IOException;
import java.nio.file.Path;
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

    private EventBlocks blocks;

    @Setup
    public void prepare() throws IOException, Stop {
        Path scratch = Samples.scratch();
        byte[] text;
        try {
            text = Samples.text(Samples.file(scratch, megabytes));
        } finally {
            Samples.delete(scratch);
        }
        blocks = EventBlocks.of(text);
        // A benchmark that stops early would shine: both must come to the end of every block, over the same events.
        long parsed = events(new Megabytes());
        long skipped = skip(new Megabytes());
        if (parsed != skipped) {
            throw new IllegalStateException(parsed + " events were parsed but " + skipped + " values skipped");
        }
    }

    @Benchmark
    public long events(Megabytes counter) {
        return blocks.parse(counter::add);
    }

    @Benchmark
    public long skip(Megabytes counter) throws Stop {
        JsonCursor cursor = new JsonCursor();
        long values = 0;
        long bytes = 0;
        for (int block = 0; block < blocks.size(); block++) {
            int length = blocks.length(block);
            cursor.set(blocks.bytes(block), 0, length);
            int c = cursor.peek();
            while (cursor.pos < length && c != ']') {
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
