// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.goal.nccl.WorkerResult;
import dev.lockstep.goal.schedule.BinaryHeader;
import dev.lockstep.goal.schedule.BinarySink;
import dev.lockstep.goal.schedule.ScheduleSink;
import dev.lockstep.goal.schedule.TextSink;
import dev.lockstep.goal.schedule.TransferSink;
import dev.lockstep.goal.stored.NodeTransfers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Writes schedules into a directory. Ranks are written side by side, each into a file of its own, and then put together in
 * their order, so that the bytes do not depend on the number of workers.
 *
 * @param directory where files go; it exists
 * @param zeros whether tags are filled up with zeros
 * @param transfers whether {@code transfers.tsv} is written, too: which calculations are transfers within nodes
 * @param bufferBytes how much of a file is written at once
 */
public record ScheduleWriter(Path directory, boolean zeros, boolean transfers, int bufferBytes) {
    /** The name of the whole schedule as text. */
    public static final String TEXT = "output.goal";

    /** The name of the whole schedule in binary form. */
    public static final String BINARY = "output.bin";

    /**
     * Writes text.
     *
     * @param whole whether the schedule of all ranks is written
     * @param parts whether a file for each rank stays
     */
    public void text(GoalGenerator generator, boolean whole, boolean parts, ExecutorService workers)
            throws IOException {
        List<Future<Path>> waiting = new ArrayList<>();
        for (int i = 0; i < generator.ranks().size(); i++) {
            int rank = i;
            waiting.add(workers.submit(() -> text(generator, rank)));
        }
        if (!whole) {
            for (Future<Path> part : waiting) {
                WorkerResult.of(part);
            }
            transfers(waiting.size());
            return;
        }
        make(TEXT, out -> {
            out.write(ByteBuffer.wrap(TextSink.header(waiting.size())));
            for (Future<Path> part : waiting) {
                append(WorkerResult.of(part), out, !parts);
            }
        });
        transfers(waiting.size());
    }

    private Path text(GoalGenerator generator, int rank) throws IOException {
        Path part = directory.resolve("rank_" + rank + ".goal");
        TagFormat format = generator.format();
        try (OutputStream out = NamedFiles.out(part)) {
            TextSink sink = new TextSink(out, zeros ? format.numberDigits() + format.labelDigits() : 1, bufferBytes);
            sink.begin(rank);
            write(generator, rank, sink);
            sink.end();
        }
        return part;
    }

    private record Block(Path file, long bytes, int cpu, int nic) {}

    /** Writes the binary form. */
    public void binary(GoalGenerator generator, ExecutorService workers) throws IOException {
        List<Future<Block>> waiting = new ArrayList<>();
        for (int i = 0; i < generator.ranks().size(); i++) {
            int rank = i;
            waiting.add(workers.submit(() -> binary(generator, rank)));
        }
        BinaryHeader header = new BinaryHeader(waiting.size());
        make(BINARY, out -> {
            out.position(header.bytes());
            for (Future<Block> part : waiting) {
                Block block = WorkerResult.of(part);
                header.add(block.bytes, block.cpu, block.nic);
                append(block.file, out, true);
            }
            out.write(ByteBuffer.wrap(header.content()), 0);
        });
        transfers(waiting.size());
    }

    private void write(GoalGenerator generator, int rank, ScheduleSink sink) throws IOException {
        RankSchedule schedule = generator.ranks().get(rank);
        if (!transfers) {
            schedule.write(sink, generator.format());
            return;
        }
        try (Writer notes = NamedFiles.writer(notes(rank))) {
            schedule.write(new TransferSink(sink, rank, notes), generator.format());
        }
    }

    /** Puts together what was noted of each rank. */
    private void transfers(int ranks) throws IOException {
        if (!transfers) {
            return;
        }
        make(NodeTransfers.NAME, out -> {
            out.write(ByteBuffer.wrap((NodeTransfers.HEAD + "\n").getBytes(StandardCharsets.US_ASCII)));
            for (int rank = 0; rank < ranks; rank++) {
                append(notes(rank), out, true);
            }
        });
    }

    private Path notes(int rank) {
        return directory.resolve("rank_" + rank + "_" + NodeTransfers.NAME);
    }

    private Block binary(GoalGenerator generator, int rank) throws IOException {
        Path part = directory.resolve("rank_" + rank + ".bin");
        BinarySink sink = new BinarySink();
        write(generator, rank, sink);
        try (OutputStream out = NamedFiles.out(part)) {
            return new Block(part, sink.write(out), sink.maxCpu(), sink.maxNic());
        }
    }

    private interface Content {
        void writeTo(FileChannel out) throws IOException;
    }

    private void make(String name, Content content) throws IOException {
        Path file = directory.resolve(name);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            content.writeTo(out);
        } catch (IOException e) {
            throw NamedFiles.named(file.toString(), e);
        }
    }

    private static void append(Path part, FileChannel out, boolean remove) throws IOException {
        try (FileChannel in = FileChannel.open(part)) {
            long size = in.size();
            for (long at = 0; at < size; ) {
                at += in.transferTo(at, size - at, out);
            }
        }
        if (remove) {
            Files.delete(part);
        }
    }
}
