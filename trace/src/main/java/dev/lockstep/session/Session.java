// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.ThreadLimit;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import dev.lockstep.read.WithheldMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * The door to the program for other programs: owns the threads, reads files. Close it when done.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class Session implements AutoCloseable {
    /** More threads than any machine has cores for this; what is asked beyond is not started. */
    public static final int MOST_JOBS = 256;

    private final Registry registry = new Registry();
    private final int jobs;
    private final ExecutorService pool;
    private final ReadingBudget budget = new ReadingBudget();

    /**
     * Starts the threads.
     *
     * @param jobs number of worker threads, at least 1; at most {@value #MOST_JOBS} are started
     */
    public Session(int jobs) {
        this.jobs = Math.min(jobs, MOST_JOBS);
        AtomicInteger number = new AtomicInteger();
        this.pool = Executors.newFixedThreadPool(this.jobs, work -> {
            Thread thread = new Thread(work, "lockstep-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** {@return what finds readers and writers} */
    public Registry registry() {
        return registry;
    }

    /** {@return the worker threads; they end with the session} */
    public ExecutorService pool() {
        return pool;
    }

    /** {@return the number of worker threads} */
    public int jobs() {
        return jobs;
    }

    /**
     * {@return whether this many of the largest of these files are likely to fit into memory together while they are
     * merged}
     *
     * @param count how many are in memory at a time
     * @param files all files of the merge
     */
    public boolean fit(int count, List<Path> files) {
        return budget.fit(count, files);
    }

    /** What limits how many files are in memory together. */
    ReadingBudget budget() {
        return budget;
    }

    /**
     * Reads a file of any known format.
     *
     * @param input the file
     * @param progress told now and then how many bytes of unpacked content were read
     * @return one trace for each rank in the file
     * @throws dev.lockstep.error.TraceFormatException when nothing can be used
     * @throws IOException when reading fails
     */
    public List<Trace> read(TraceInput input, LongConsumer progress) throws IOException {
        return read(input, progress, ReadOptions.Keep.MEANING);
    }

    /**
     * Reads a file of any known format, as {@link #read(TraceInput, LongConsumer)} does.
     *
     * @param input the file
     * @param progress told now and then how many bytes of unpacked content were read
     * @param keep what the traces shall hold
     * @return one trace for each rank in the file
     * @throws IOException when reading fails
     * @throws dev.lockstep.error.TraceFormatException when nothing can be used
     */
    public List<Trace> read(TraceInput input, LongConsumer progress, ReadOptions.Keep keep) throws IOException {
        return read(input, new ReadOptions(pool, jobs, progress, keep));
    }

    /**
     * Reads a file on the calling thread alone, for callers that read many at a time.
     *
     * @param input the file
     * @return one trace for each rank in the file
     * @throws dev.lockstep.error.TraceFormatException when nothing can be used
     * @throws IOException when reading fails
     */
    public List<Trace> readAlone(TraceInput input) throws IOException {
        return readAlone(input, ReadOptions.Keep.MEANING);
    }

    /** As {@link #readAlone(TraceInput)}; {@code keep} says what the traces shall hold. */
    List<Trace> readAlone(TraceInput input, ReadOptions.Keep keep) throws IOException {
        return read(input, new ReadOptions(Runnable::run, 1, bytes -> {}, keep));
    }

    /**
     * Reads one trace of a file.
     *
     * @param input the file
     * @param rank the one that is meant of several; -1 for the only one
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the trace
     * @throws dev.lockstep.error.UserException for a directory, for several ranks where none is named, and for a rank
     *     that the file does not hold
     * @throws dev.lockstep.error.TraceFormatException when nothing can be used
     * @throws IOException when reading fails
     */
    public Trace readOne(TraceInput input, int rank, LongConsumer progress) throws IOException {
        TraceFiles.demandFile(input);
        return FileRanks.choose(read(input, progress), input, rank);
    }

    private List<Trace> read(TraceInput input, ReadOptions options) throws IOException {
        Diagnostics diagnostics = new Diagnostics();
        try (PrefixedSource content = input.open(diagnostics)) {
            TraceReader reader = registry.readerFor(input.name(), content.head(), diagnostics.hasLoss());
            List<Trace> traces = reader.read(input, content, diagnostics, options);
            demandEvents(input, traces);
            return traces.stream().map(WithheldMetadata::of).toList();
        } catch (OutOfMemoryError e) {
            if (ThreadLimit.isReached(e)) {
                throw e; // no fault of the file
            }
            throw tooLarge(input, e);
        }
    }

    /** Refuses lists of other things than events, unless the name or the rest of the file says that it is a damaged trace. */
    private static void demandEvents(TraceInput input, List<Trace> traces) throws TraceFormatException {
        if (!traces.stream().allMatch(Session::hasNoPhase)) {
            return;
        }
        TraceFormatException list = new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN,
                input.name(),
                -1,
                "this is a list, but not one of events: nothing in it has a phase (ph)",
                TraceFormat.KINETO.hint());
        if (!UnreadFile.of(input, list).isTrace()) {
            throw list;
        }
    }

    /** Whether something was read, and nothing of it says what kind of event it is. */
    private static boolean hasNoPhase(Trace trace) {
        return TraceFormat.isEventList(trace.info().format())
                && trace.isEmpty()
                && trace.counts().events() > 0
                && trace.counts().byPhase().isEmpty();
    }

    private static TraceFormatException tooLarge(TraceInput input, OutOfMemoryError cause) {
        TraceFormatException failure = new TraceFormatException(
                ErrorCode.TOO_LARGE,
                input.name(),
                -1,
                "what must be kept of it takes more memory than the heap of "
                        + (Runtime.getRuntime().maxMemory() >> 20) + " MB",
                TraceFormat.MORE_MEMORY);
        failure.initCause(cause);
        return failure;
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
