// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.nsys.NsysExports;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.read.nsys.NsysRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Exports written by tests, row by row. */
public final class WrittenRows implements NsysExports {
    private final Map<String, List<Consumer<NsysRows>>> files = new LinkedHashMap<>();

    /** The rows of one process. */
    public final class Process {
        private final List<Consumer<NsysRows>> rows;
        private final long pid;
        private final long thread;

        Process(String file, long pid) {
            rows = files.computeIfAbsent(file, f -> new ArrayList<>());
            this.pid = pid;
            thread = pid << 24 | pid;
        }

        public Process mark(long time, String text) {
            rows.add(r -> r.annotation(time, -1, thread, text + " pid " + pid));
            return this;
        }

        public Process call(long time, String text) {
            rows.add(r -> r.annotation(time, time + 50, thread, text + ", pid " + pid));
            return this;
        }

        public Process group(long from, long to) {
            rows.add(r -> r.annotation(from, from + 1, thread, "ncclGroupStart(): pid " + pid));
            rows.add(r -> r.annotation(to, to + 90, thread, "ncclGroupEnd(): pid " + pid));
            return this;
        }

        public Process window(long from, long to) {
            rows.add(r -> r.annotation(from, -1, thread, "nsys profiling start, pid: " + pid));
            rows.add(r -> r.annotation(to, -1, thread, "nsys profiling stopped, pid: " + pid));
            return this;
        }

        public Process kernel(long from, long to, int stream, String name) {
            rows.add(r ->
                    r.kernel(new NsysKernel(from, to, pid << 24, 0, stream, from, 2, "ncclDevKernel_" + name + "(x)")));
            return this;
        }

        /** A call of the runtime that launched the kernel that begins at a time. */
        public Process launch(long time, long kernel) {
            rows.add(r -> r.launch(time, time + 1, thread, kernel));
            return this;
        }

        /** That it has a rank in a communicator whose members form a ring in their order, and a tree like a heap. */
        public Process member(String hash, int rank, int ranks) {
            mark(1, "commHash " + hash + " commId " + hash + "f rank " + rank + " nranks " + ranks);
            return mark(
                    2,
                    "commHash " + hash + " Rings [0] " + (rank + ranks - 1) % ranks + "->" + rank + "->"
                            + (rank + 1) % ranks);
        }

        /** How a ring with the Simple protocol was planned: on one channel, in chunks of 1024 elements of 4 bytes. */
        public Process plan(long time, int type, String hash, long bytes, long elements) {
            mark(
                    time,
                    "collType " + type + " root 0 redOp 0 algo 1 proto 2 commHash " + hash + " stream 0x1 data_size "
                            + bytes
                            + " type_size 4 chunkSize 4096 chunkCount 1024 chunkSteps 2 sliceSteps 1 stepSize 2048");
            return mark(
                    time + 1,
                    "nWarps 1 count " + elements + " chunkCount 1024 workCount " + elements
                            + " lastChunkCount 1024 workOffset 0 sendbuff 5 recvbuff 5");
        }
    }

    public Process process(String file, long pid) {
        return new Process(file, pid);
    }

    @Override
    public void read(TraceInput input, NsysRows rows) {
        files.get(input.name()).forEach(row -> row.accept(rows));
    }

    /** Understands everything that was written. */
    public RecordedRun recording(RecordingRules rules) throws IOException {
        return annotated(rules).orElseThrow();
    }

    /** The same; nothing when no annotation says how collectives were carried out. */
    Optional<RecordedRun> annotated(RecordingRules rules) throws IOException {
        try (ExecutorService workers = Executors.newSingleThreadExecutor()) {
            return new RecordingReader(this, rules, CommunicatorLog.NONE, workers)
                    .read(files.keySet().stream()
                            .map(name -> TraceInput.of(Path.of(name)))
                            .toList());
        }
    }
}
