// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.nsys.NsysExports;
import dev.lockstep.session.UnreadFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads what a run's exports say about the collective library. */
public final class RecordingReader {
    private final NsysExports exports;
    private final RecordingRules rules;
    private final CommunicatorLog log;
    private final ExecutorService workers;

    /**
     * @param log members of communicators that do not announce themselves
     * @param workers files and processes are worked on by these
     */
    public RecordingReader(NsysExports exports, RecordingRules rules, CommunicatorLog log, ExecutorService workers) {
        this.exports = exports;
        this.rules = rules;
        this.log = log;
        this.workers = workers;
    }

    /** @param unread why the file was not read; null when it was */
    private record FileRows(
            List<NcclProcess> processes,
            RecordingNotes notes,
            @Nullable UnreadFile unread) {}

    /**
     * Reads files in the order given. One that cannot be read costs the ranks that it held, which is noted.
     *
     * @return nothing when the library ran, but its annotations do not say how
     * @throws UserException when no process used the library
     * @throws IOException when no file can be read
     */
    public Optional<RecordedRun> read(List<TraceInput> files) throws IOException {
        RecordingNotes notes = new RecordingNotes();
        List<NcclProcess> processes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        int number = 0;
        boolean kernels = false;
        List<FileRows> read = all(files, this::file);
        List<UnreadFile> lost = lost(files, read, notes);
        for (FileRows file : read) {
            number++;
            notes.addAll(file.notes);
            for (NcclProcess process : file.processes) {
                process.file = number;
                kernels |= !process.kernels.isEmpty();
                if (process.calls.isEmpty() && process.members.size() == 0) {
                    continue;
                }
                if (seen.add(process.node() + " " + process.pid())) {
                    processes.add(process);
                } else {
                    notes.lost(
                            "process_twice",
                            "process " + process.pid() + " of node " + process.node()
                                    + " is in two files; the second was left out");
                }
            }
        }
        boolean planned = processes.stream().anyMatch(process -> process.plans.size() > 0 || process.parts.size() > 0);
        if (kernels && !planned && rules.aligned()) {
            return Optional.empty();
        }
        if (processes.isEmpty() && !lost.isEmpty()) {
            throw lost.getFirst().failure();
        }
        if (processes.isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    files.getFirst().name() + (files.size() > 1 ? " and " + (files.size() - 1) + " more" : "")
                            + ": no annotations of the collective library",
                    "Record with an NCCL that was built with annotations, and with nsys profile --trace=nvtx,cuda.");
        }
        List<NcclProcess> ranks = rules.ranks(processes);
        all(ranks, process -> {
                    RecordingNotes own = new RecordingNotes();
                    rules.match(process, own);
                    return own;
                })
                .forEach(notes::addAll);
        Communicators communicators = Communicators.of(files, ranks, log, !rules.aligned(), notes);
        List<Gpu> gpus = new ArrayList<>();
        all(IntStream.range(0, ranks.size()).boxed().toList(), gpu -> {
                    RecordingNotes own = new RecordingNotes();
                    return new Built(
                            new OperationBuilder(ranks.get(gpu), gpu, communicators, rules.aligned(), own).build(),
                            own);
                })
                .forEach(built -> {
                    gpus.add(built.gpu);
                    notes.addAll(built.notes);
                });
        List<Gpu> agreed = rules.aligned() ? new Agreement(gpus, communicators.all(), notes).run() : gpus;
        return Optional.of(new RecordedRun(agreed, communicators.all(), false, notes));
    }

    private record Built(Gpu gpu, RecordingNotes notes) {}

    private FileRows file(TraceInput input) throws IOException {
        RecordingNotes notes = new RecordingNotes();
        String name = String.valueOf(input.path().getFileName());
        AnnotationReader rows = new AnnotationReader(input.name(), name, ExportNames.in(name), notes);
        try {
            exports.read(input, rows);
        } catch (IOException e) {
            boolean lacks = e instanceof TraceFormatException known && known.code() == ErrorCode.DATA_MISSING;
            if (lacks || !rules.aligned()) {
                throw e;
            }
            return new FileRows(List.of(), new RecordingNotes(), UnreadFile.of(input, e));
        }
        return new FileRows(rows.processes(), notes, null);
    }

    /** Notes the files that could not be read; returns those with which ranks are lost. */
    private static List<UnreadFile> lost(List<TraceInput> files, List<FileRows> read, RecordingNotes notes)
            throws IOException {
        List<UnreadFile> lost = new ArrayList<>();
        StringJoiner why = new StringJoiner("; ");
        UnreadFile first = null;
        for (int i = 0; i < read.size(); i++) {
            UnreadFile unread = read.get(i).unread;
            first = first == null ? unread : first;
            if (unread != null && unread.isTrace()) {
                lost.add(unread);
                why.add(String.valueOf(unread.failure().getMessage()));
            } else if (unread != null) {
                notes.besides(files.get(i).name());
            }
        }
        if (first != null && read.stream().allMatch(file -> file.unread != null)) {
            throw first.failure();
        }
        if (!lost.isEmpty()) {
            notes.lost("rank_incomplete", why + "; the ranks that were recorded there are missing");
        }
        return lost;
    }

    private interface Step<T, R> {
        R apply(T input) throws IOException;
    }

    private <T, R> List<R> all(List<T> inputs, Step<T, R> step) throws IOException {
        List<Future<R>> waiting = new ArrayList<>();
        for (T input : inputs) {
            waiting.add(workers.submit(() -> step.apply(input)));
        }
        List<R> results = new ArrayList<>();
        for (Future<R> result : waiting) {
            results.add(WorkerResult.of(result));
        }
        return results;
    }
}
