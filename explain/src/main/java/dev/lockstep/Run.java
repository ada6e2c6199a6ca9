// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.inference.Additions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.CollectiveReport;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.reporting.ServingTrace;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.MergedTraces;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.Session;
import dev.lockstep.session.Soundness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one run: which file is whose, and their tables.
 *
 * <p>Files are read when they are asked for: {@link #rank} reads one file where names or beginnings of files tell whose it is,
 * {@link #ranks} reads all, several at a time. What was read is explained at once; its tables are kept, the trace is not. So a
 * run may have more ranks than traces fit into memory, and no file is read again for another table.
 *
 * <p>A rank's number is the one that its trace states, else the one in its path, else its place among the files. Confined to
 * one thread.
 */
public final class Run {
    private record Explained(Report report, KeptRank rank) {}

    private final Lockstep lockstep;
    private final List<String> inputs;
    private final List<Path> files;
    private final RankSelection selection;
    private final LongConsumer progress;
    private final ReportOptions how;
    private final Map<Integer, RankResult> single = new HashMap<>();
    private @Nullable RankSet<Explained> explained;

    Run(Lockstep lockstep, List<String> inputs, List<Path> files, RankSelection selection) {
        this(lockstep, inputs, files, selection, bytes -> {}, ReportOptions.standard());
    }

    private Run(
            Lockstep lockstep,
            List<String> inputs,
            List<Path> files,
            RankSelection selection,
            LongConsumer progress,
            ReportOptions how) {
        this.lockstep = lockstep;
        this.inputs = List.copyOf(inputs);
        this.files = List.copyOf(files);
        this.selection = selection;
        this.progress = progress;
        this.how = how;
    }

    /**
     * {@return the same run, of which nothing was read, and which tells how far reading is}
     *
     * @param told learns now and then how many bytes of unpacked content were read; called by several threads
     */
    public Run withProgress(LongConsumer told) {
        return new Run(lockstep, inputs, files, selection, told, how);
    }

    /**
     * {@return the same run, of which nothing was read, whose ranks shall be explained in another way}
     *
     * @param options what their reports hold
     */
    public Run with(ReportOptions options) {
        return new Run(lockstep, inputs, files, selection, progress, options);
    }

    /**
     * {@return the same run, of which nothing was read, without a merged timeline that lies among its files}
     *
     * @param place where an output shall go; anything but such a timeline that was not named itself stays an input
     * @throws IOException when what lies there cannot be read
     */
    public Run withoutMerged(Path place) throws IOException {
        for (Path file : files) {
            if (files.size() > 1
                    && !inputs.contains(file.toString())
                    && Files.exists(place)
                    && Files.isSameFile(file, place)
                    && MergedTraces.isOne(lockstep.session(), file)) {
                List<Path> others =
                        files.stream().filter(other -> !other.equals(file)).toList();
                return new Run(lockstep, inputs, others, selection, progress, how);
            }
        }
        return this;
    }

    /** {@return what was named when the run was opened} */
    public List<String> inputs() {
        return inputs;
    }

    /** {@return the files that may be traces of the run, in the order of what was named} */
    public List<Path> files() {
        return files;
    }

    /**
     * One rank of the run.
     *
     * @param number its number, from 0
     * @return its tables and its report
     * @throws UserException when the run has no such rank, or several traces of one
     * @throws TraceFormatException when its file cannot be read
     * @throws IOException when reading fails
     */
    public RankResult rank(int number) throws IOException {
        RankResult known = single.get(number);
        if (known == null && explained == null) {
            known = alone(number);
        }
        return known != null ? known : among(number);
    }

    /**
     * All ranks of the run that can be read, by number.
     *
     * @return at least one
     * @throws UserException when there are several traces of one rank
     * @throws TraceFormatException when no file can be read
     * @throws IOException when reading fails
     */
    public List<RankResult> ranks() throws IOException {
        return explained().present().stream()
                .map(member -> result(member, Objects.requireNonNull(member.kept()).report))
                .toList();
    }

    /**
     * Which ranks were read, which are damaged and which are missing, with the reasons. Reads all that was not yet read.
     *
     * @return ranks by number; files that belong to none last
     * @throws UserException when there are several traces of one rank
     * @throws TraceFormatException when no file can be read
     * @throws IOException when reading fails
     */
    public List<? extends Member<?>> members() throws IOException {
        return explained().members();
    }

    /**
     * Reads all ranks, several at a time, and keeps something of each; it does not matter whether they were read before.
     *
     * @param <T> what is kept
     * @param keep takes from a trace what outlives it; called by several threads at a time
     * @return what was kept, by rank, and which ranks are missing
     * @throws UserException when there are several traces of one rank
     * @throws TraceFormatException when no file can be read, or one is damaged where that is a failure
     * @throws IOException when reading fails
     */
    public <T> RankSet<T> readEach(Function<Trace, T> keep) throws IOException {
        return reading(() -> RankSet.read(lockstep.session(), files, selection, sound(keep), progress));
    }

    /**
     * Reads all ranks, several at a time, and keeps something of each that depends on its number.
     *
     * @param <T> what is kept
     * @param keep takes from a trace, which has the number of its rank, what outlives it; called by several threads at a time,
     *     and again for a rank that turns out to have another number
     * @param discard lets go of what was kept under a wrong number
     * @return what was kept, by rank, and which ranks are missing
     * @throws UserException when there are several traces of one rank
     * @throws TraceFormatException when no file can be read, or one is damaged where that is a failure
     * @throws IOException when reading fails
     */
    <T> RankSet<T> readByRank(Function<Trace, T> keep, Consumer<T> discard) throws IOException {
        return reading(() -> RankSet.readByRank(lockstep.session(), files, selection, sound(keep), discard, progress));
    }

    /**
     * Reads all ranks one after the other, by number as far as the beginnings of files and their names tell it. Two at most
     * are in memory at a time.
     *
     * @param <T> what is kept
     * @param whole how much of the files the traces shall hold
     * @param take takes a trace, on the calling thread, while the next is read
     * @return what was kept, by rank, and which ranks are missing
     * @throws UserException when there are several traces of one rank
     * @throws TraceFormatException when no file can be read, or one is damaged where that is a failure
     * @throws IOException when reading fails
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public <T> RankSet<T> readInOrder(Keep whole, Function<Trace, T> take) throws IOException {
        return reading(() -> RankSet.readInOrder(lockstep.session(), files, selection, whole, sound(take), progress));
    }

    Report collectives(CollectiveOptions options) throws IOException {
        PartRoom room = new PartRoom(files.size());
        RankSet<KeptRank> ranks = explained != null
                ? explained.withKept(member -> Objects.requireNonNull(member.kept()).rank)
                : readEach(trace -> room.keep(DerivedCache.believing(trace)));
        MatchedRanks matched = new MatchedRanks(ranks, source(), options, session());
        matched.demandCollectives(source());
        return CollectiveReport.of(matched);
    }

    /**
     * {@return what reads its files}
     *
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public Session session() {
        return lockstep.session();
    }

    /** Whether a file of the run holds one rank alone. */
    boolean isOfOneRank(Path file) throws IOException {
        return lockstep.session().read(TraceInput.of(file), bytes -> {}).size() == 1;
    }

    /** What the reports of its ranks hold. */
    ReportOptions options() {
        return how;
    }

    /** The files by rank, as far as their beginnings and names tell; empty when that is not clear. */
    Map<Integer, Path> numbered() {
        return RankSet.numbered(files, selection);
    }

    /** What was named, in few words. */
    String source() {
        return inputs.size() == 1 ? inputs.getFirst() : inputs.getFirst() + " and " + (inputs.size() - 1) + " more";
    }

    /** Reads the one file whose rank it seems to be; null when that is not clear. */
    private @Nullable RankResult alone(int number) throws IOException {
        Path file = RankSet.numbered(files, selection).get(number);
        if (file == null) {
            return null;
        }
        List<Trace> traces = lockstep.session().read(TraceInput.of(file), progress);
        Trace trace = traces.getFirst();
        if (traces.size() > 1 || trace.info().rank().index() != number) {
            return null;
        }
        lockstep.demandSound(trace);
        RankResult result =
                new RankResult(number, file.toString(), trace.diagnostics().hasLoss(), explain(trace).report);
        single.put(number, result);
        return result;
    }

    private RankResult among(int number) throws IOException {
        for (Member<Explained> member : explained().members()) {
            Explained kept = member.kept();
            if (member.rank() == number && kept != null) {
                return result(member, kept.report);
            }
            if (member.rank() == number && !member.source().isEmpty()) {
                throw new TraceFormatException(ErrorCode.FORMAT_CORRUPT, member.source(), -1, member.note(), null);
            }
        }
        throw new UserException(
                ErrorCode.OPTION_INVALID,
                source() + ": there is no rank " + number,
                "There are "
                        + FileRanks.ranges(
                                explained().present().stream().map(Member::rank).toList()) + ".");
    }

    private RankSet<Explained> explained() throws IOException {
        if (explained == null) {
            explained = readByRank(this::explain, one -> {});
        }
        return explained;
    }

    private Explained explain(Trace trace) {
        try {
            Trace prepared = ServingTrace.prepare(
                    lockstep.session(), trace, how.serving(), PerformanceReport.rules(how), Additions.WITHIN);
            DerivedCache cache = DerivedCache.believing(prepared);
            return new Explained(PerformanceReport.of(cache, how), KeptRank.withoutPart(cache));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RankResult result(Member<?> member, Report report) {
        return new RankResult(member.rank(), member.source(), !member.isWhole(), report);
    }

    private <T> Function<Trace, T> sound(Function<Trace, T> keep) {
        return trace -> {
            try {
                lockstep.demandSound(trace);
            } catch (TraceFormatException e) {
                throw new UncheckedIOException(e);
            }
            return keep.apply(trace);
        };
    }

    private interface Reading<T> {
        RankSet<T> read() throws IOException;
    }

    private <T> RankSet<T> reading(Reading<T> reading) throws IOException {
        try {
            RankSet<T> ranks = reading.read();
            if (lockstep.options().strict()) {
                Soundness.demand(ranks);
            }
            return ranks;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
