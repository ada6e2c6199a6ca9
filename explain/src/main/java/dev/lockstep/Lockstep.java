// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.compare.Lateness;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.DifferenceReport;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.Session;
import dev.lockstep.session.Soundness;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * The program as a library: reads traces, explains them, writes reports.
 *
 * {@snippet :
 * try (Lockstep lockstep = Lockstep.open()) {
 *     Run run = lockstep.read(Path.of("run/"));
 *     Table timeline = run.rank(0).table("gpu_timeline");
 *     lockstep.report(run).writeTo(Path.of("out"), "xlsx", "csv");
 * }
 * }
 *
 * <p>It owns the worker threads; close it when done. Results do not depend on the number of threads, and stay usable when it
 * is closed. Confined to one thread.
 *
 * <p>A request that cannot be met ends in a {@link UserException}: nothing fits, an option is wrong, a writer is not there. A
 * file that cannot be read ends in a {@link TraceFormatException}, which names it, and where in it reading ended.
 */
public final class Lockstep implements AutoCloseable {
    /**
     * How to work.
     *
     * @param threads number of worker threads, at least 1
     * @param strict whether damage in a file is a failure; else the rest of the file is used, and the damage is told
     */
    public record Options(int threads, boolean strict) {
        /**
         * Checks the number of threads.
         *
         * @throws UserException for fewer than 1
         */
        public Options {
            if (threads < 1) {
                throw new UserException(ErrorCode.OPTION_INVALID, "at least 1 thread is needed, not " + threads, null);
            }
        }

        /** {@return a thread for each processor; damage is told and let pass} */
        public static Options standard() {
            return new Options(Runtime.getRuntime().availableProcessors(), false);
        }

        /**
         * {@return the same with another number of worker threads}
         *
         * @param number at least 1
         */
        public Options withThreads(int number) {
            return new Options(number, strict);
        }

        /** {@return the same, but damage in a file is a failure} */
        public Options strictly() {
            return new Options(threads, true);
        }
    }

    private final Session session;
    private final Options options;

    private Lockstep(Options options) {
        this.options = options;
        this.session = new Session(options.threads());
    }

    /** {@return the library, opened with {@link Options#standard()}} */
    public static Lockstep open() {
        return open(Options.standard());
    }

    /**
     * {@return the library, opened}
     *
     * @param options how to work
     */
    public static Lockstep open(Options options) {
        return new Lockstep(options);
    }

    /**
     * The ranks of one run. Only names, and where these do not tell ranks apart the beginnings of files, are looked at; traces
     * are read when the run is asked for something.
     *
     * @param inputs traces, folders with traces in or below them, or patterns as in {@code run/rank*.json}; several of them
     *     are of one run together
     * @return the run, of which nothing was read yet
     * @throws UserException when there are no traces
     * @throws IOException when a folder cannot be listed
     */
    public Run read(Path... inputs) throws IOException {
        return read(Stream.of(inputs).map(Path::toString).toList(), RankSelection.any());
    }

    /**
     * As {@link #read(Path...)}, where a folder may hold several traces of a rank.
     *
     * @param inputs traces, folders, or patterns
     * @param selection which traces are meant
     * @return the run, of which nothing was read yet
     * @throws UserException when there are no traces
     * @throws IOException when a folder cannot be listed
     */
    public Run read(List<String> inputs, RankSelection selection) throws IOException {
        return new Run(this, inputs, TraceFiles.of(inputs), selection);
    }

    /**
     * The only trace of a file, with all its events, for analyses of one's own.
     *
     * @param file the trace
     * @return the trace; it is held in memory as long as the caller holds it
     * @throws UserException when the file holds several ranks, or no complete events
     * @throws TraceFormatException when nothing of the file can be used
     * @throws IOException when reading fails
     */
    public Trace trace(Path file) throws IOException {
        return trace(TraceInput.of(file), -1, bytes -> {});
    }

    /**
     * The trace of one rank of a file.
     *
     * @param input the file
     * @param rank the one that is meant of several; -1 for the only one
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the trace; it is held in memory as long as the caller holds it
     * @throws UserException when there is no such rank, or there are several, or it holds no complete events
     * @throws TraceFormatException when nothing of the file can be used
     * @throws IOException when reading fails
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public Trace trace(TraceInput input, int rank, LongConsumer progress) throws IOException {
        Trace trace = session.readOne(input, rank, progress);
        demandSound(trace);
        Soundness.demandEvents(trace);
        return trace;
    }

    /**
     * {@return what is to be said of a run: of each of its ranks, and of all together} Nothing is read yet.
     *
     * @param run what it is about
     */
    public RunReport report(Run run) {
        return new RunReport(this, run);
    }

    /**
     * The report across the ranks of a run: who waits for whom, at what bandwidth ranks talk.
     *
     * @param run what it is about
     * @param how which summaries are made, and what is done about clocks
     * @return the report, not yet written
     * @throws UserException when no rank communicates
     * @throws IOException when no trace can be read
     */
    public Report collectives(Run run, CollectiveOptions how) throws IOException {
        return run.collectives(how);
    }

    /**
     * What sets two recordings of one rank apart: operators and kernels that only one has, and those that became slower.
     *
     * @param baseline what is compared with
     * @param candidate what is compared
     * @return the report, not yet written, and the total times
     */
    public DiffResult diff(Trace baseline, Trace candidate) {
        return diff(baseline, candidate, Lateness.UNKNOWN, Lateness.UNKNOWN);
    }

    /**
     * What sets the same rank of two runs apart.
     *
     * @param baseline what is compared with
     * @param candidate what is compared
     * @param before who kept other ranks of the baseline's run waiting
     * @param after the same in the candidate's
     * @return the report, not yet written, and the total times
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public DiffResult diff(Trace baseline, Trace candidate, Lateness before, Lateness after) {
        DerivedCache one = DerivedCache.believing(baseline);
        DerivedCache two = DerivedCache.believing(candidate);
        TraceDifference.Result result = DifferenceReport.compare(one, two);
        Confidence change = DifferenceReport.change(one, two, result);
        long difference = result.candidate().span() - result.baseline().span();
        return new DiffResult(
                DifferenceReport.of(one, two, result, Lateness.findings(after, before, difference)),
                result.baseline().span(),
                result.candidate().span(),
                change.isKnown() && !change.excludesZero());
    }

    /**
     * Finished reports side by side.
     *
     * @param reports at least two workbooks or folders of CSV files, the baseline first
     * @return the comparison, of which nothing was read yet
     */
    public ReportComparison compare(List<Path> reports) {
        return new ReportComparison(reports, List.of(), List.of());
    }

    /**
     * {@return a cut of a trace into iterations} Nothing is written yet.
     *
     * @param file the trace, in Kineto JSON
     * @throws UserException when the file holds several ranks, or no complete events
     * @throws TraceFormatException when nothing of the file can be used
     * @throws IOException when reading fails
     */
    public Split split(Path file) throws IOException {
        return split(file, trace(file), bytes -> {});
    }

    /**
     * {@return a cut of a trace that was read before}
     *
     * @param file the trace, in Kineto JSON
     * @param trace what was read from it
     * @param progress told now and then how many bytes of unpacked content were copied
     */
    public Split split(Path file, Trace trace, LongConsumer progress) {
        return new Split(this, TraceInput.of(file), trace, progress);
    }

    /**
     * {@return a merge of all ranks of a run} Nothing is read or written yet.
     *
     * @param run what is merged
     */
    public Merge merge(Run run) {
        return new Merge(this, run);
    }

    /**
     * {@return what reads and writes, for what has no method here; it is closed together with this}
     *
     * @hidden for the program's own modules
     */
    public Session session() {
        return session;
    }

    /** {@return how this was opened} */
    public Options options() {
        return options;
    }

    void demandSound(Trace trace) throws TraceFormatException {
        if (options.strict()) {
            Soundness.demand(trace);
        }
    }

    /** Ends the worker threads. */
    @Override
    public void close() {
        session.close();
    }
}
