// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Schedules whose operations are whole collectives, laid out as version 1 of ATLAHS's generator does: a rank has a node
 * where its streams begin and one where they end; an operation lies between the time before it, which for the first is
 * counted from when profiling began, and nodes that open and close it. A group is one operation, that of its first call.
 */
final class ReferenceOverview {
    private static final String MERGED = "stream_merged";
    private static final int BEGIN = 1;
    private static final int END = 2;

    private final BufferedWriter out;
    private final int rank;
    private final ReferenceStreams streams;
    private final boolean merged;
    private final int[] numbers;
    private int last;

    private ReferenceOverview(BufferedWriter out, int rank, ReferenceStreams streams, boolean merged) {
        this.out = out;
        this.rank = rank;
        this.streams = streams;
        this.merged = merged;
        this.numbers = ReferenceLabels.numbers(streams.operations());
    }

    /**
     * Writes all ranks.
     *
     * @param merge whether the streams of a GPU become one, which happens if nowhere two operations overlap in time
     * @param parallel whether the reference reads files in parallel
     */
    static void write(RecordedRun recording, boolean merge, boolean parallel, Path file) throws IOException {
        List<ReferenceStreams> streams = recording.gpus().stream()
                .map(gpu -> ReferenceStreams.of(gpu.operations(), parallel))
                .toList();
        boolean merged = merge && streams.stream().allMatch(ReferenceStreams::mergeable);
        try (BufferedWriter out = NamedFiles.writer(file)) {
            out.write("num_ranks " + streams.size() + "\n");
            for (int rank = 0; rank < streams.size(); rank++) {
                ReferenceStreams own = streams.get(rank);
                long begin = recording.gpus().get(rank).windowStart();
                new ReferenceOverview(out, rank, merged ? own.merged() : own, merged).write(begin);
            }
        }
    }

    private void write(long begin) throws IOException {
        out.write("rank " + rank + " {\n");
        node("calc 0");
        node("calc 0");
        for (int[] stream : streams.streams()) {
            Set<Integer> done = new HashSet<>();
            int before = BEGIN;
            long end = begin;
            for (int place : stream) {
                List<Integer> members = streams.members(place, done);
                if (!members.isEmpty()) {
                    RecordedOperation o = streams.operations().get(place);
                    int gap = node("calc " + Math.max(0, o.start() - end));
                    requires(gap, before);
                    before = operation(gap, text(members.getFirst()));
                    end = o.end();
                }
            }
            if (before != BEGIN) {
                requires(END, before);
            }
        }
        out.write("}\n");
    }

    private String text(int place) {
        RecordedOperation o = streams.operations().get(place);
        return o.kind().word() + " " + o.bytes() + " bytes comm " + o.communicator() + " gpu " + rank + " stream "
                + (merged ? MERGED : o.stream()) + " seq " + numbers[place] + " end";
    }

    /** Writes an operation behind the time before it; returns the node that closes it. */
    private int operation(int gap, String text) throws IOException {
        int closed = node("calc 0");
        int opened = node("calc 0");
        requires(opened, gap);
        int done = node("calc 0");
        requires(closed, done);
        int operation = node(text);
        requires(operation, opened);
        requires(done, operation);
        return closed;
    }

    private int node(String text) throws IOException {
        out.write("l" + ++last + ": " + text + "\n");
        return last;
    }

    private void requires(int later, int earlier) throws IOException {
        out.write("l" + later + " requires l" + earlier + "\n");
    }
}
