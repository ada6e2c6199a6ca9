// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one run: a file for each, who is who, and who is missing. Of a trace only what the caller wants to keep
 * outlives its reading, so that a run may have more ranks than traces fit into memory.
 *
 * <p>A rank's number is the one that its trace states, else the one in its path, else its place among the files. If the
 * stated numbers are not distinct but those in the paths are, the paths are believed. A trace that cannot be read keeps its
 * number and its place.
 *
 * @param <T> what is kept of each trace
 */
public final class RankSet<T> {
    private static final String NO_FILE = "no file for this rank";
    private static final String NOTHING_LEFT = "the file is damaged, and nothing of this rank is left to read";
    private static final String NO_READABLE_FILE = "no file for this rank among those that can be read";

    /** How complete a rank is. */
    public enum Status {
        /** All of it was read. */
        READ,
        /** A part of its file is certainly missing. */
        PARTIAL,
        /** Its file is a trace and cannot be read. */
        UNREADABLE,
        /** The run has it, but there is no file. */
        MISSING,
        /** The file is no trace. */
        SET_ASIDE
    }

    /**
     * A rank, or a file that belongs to none.
     *
     * @param <T> what is kept of each trace
     * @param rank number, -1 when unknown
     * @param origin how the number is known, null when it is not, or when only the other ranks say so
     * @param file the file, null for none
     * @param source its name, empty for none
     * @param status how complete it is
     * @param note what is wrong, empty for nothing
     * @param info what the trace says about itself, of its metadata only the host; null when it was not read
     * @param kept what was kept of it, null when it was not read
     */
    public record Member<T>(
            int rank,
            Rank.@Nullable Origin origin,
            @Nullable Path file,
            String source,
            Status status,
            String note,
            @Nullable TraceInfo info,
            @Nullable T kept) {
        /** {@return whether nothing of the rank is missing} */
        public boolean isWhole() {
            return status == Status.READ || status == Status.SET_ASIDE;
        }
    }

    /**
     * What a file was read as, or one rank of a file that holds several.
     *
     * @param <T> what is kept of each trace
     * @param file the file
     * @param inside the place of the rank in the file, from 0
     * @param merged whether the file seems to be a timeline that was merged from several ranks
     * @param info what the trace says about itself, of its metadata only the host; null when it was not read
     * @param problems what is wrong with it
     * @param loss whether a part of it is certainly missing
     * @param kept what is kept of it, null when it was not read
     * @param unread why it was not read, and what is lost with it; null when it was read
     * @hidden for the program's own modules
     */
    public record Loaded<T>(
            Path file,
            int inside,
            boolean merged,
            @Nullable TraceInfo info,
            List<Entry> problems,
            boolean loss,
            @Nullable T kept,
            @Nullable UnreadFile unread) {
        /** A file that was not read. */
        static <T> Loaded<T> not(Path file, UnreadFile unread) {
            return new Loaded<>(file, 0, false, null, List.of(), true, null, unread);
        }

        /** A rank of a file that holds these. */
        static <T> Loaded<T> of(Path file, List<Trace> all, int inside, TraceInfo info, T kept) {
            Trace trace = all.get(inside);
            return new Loaded<>(
                    file,
                    inside,
                    MergedTraces.seem(all),
                    info,
                    trace.diagnostics().problems(),
                    trace.diagnostics().hasLoss(),
                    kept,
                    null);
        }

        /** The same, of which something else is kept. */
        <U> Loaded<U> keeping(U other) {
            return new Loaded<>(file, inside, merged, info, problems, loss, other, unread);
        }

        /** Whether it is a trace of the run, read or not. */
        boolean isTrace() {
            return unread == null || unread.isTrace();
        }
    }

    private final List<Member<T>> members;
    private final int worldSize;

    private RankSet(List<Member<T>> members, int worldSize) {
        this.members = List.copyOf(members);
        this.worldSize = worldSize;
    }

    /**
     * Reads a run.
     *
     * @param <T> what is kept of each trace
     * @param session lends its threads and knows the formats
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @param keep takes from a trace what outlives it; called by several threads at a time
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the ranks, at least one of which was read
     * @throws UserException when several files claim one rank and the selection does not tell which is meant
     * @throws IOException when no file can be read
     * @hidden for the program's own modules
     */
    public static <T> RankSet<T> read(
            Session session, List<Path> files, RankSelection selection, Function<Trace, T> keep, LongConsumer progress)
            throws IOException {
        return start(session, files, selection, keep, progress).demandOne();
    }

    /**
     * Begins to read a run: its small files are being read when this returns, and the next run may be begun before this
     * one is finished.
     *
     * @param <T> what is kept of each trace
     * @param session lends its threads and knows the formats
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @param keep takes from a trace what outlives it; called by several threads at a time
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the run, to be finished or abandoned
     * @see #read
     * @hidden for the program's own modules
     */
    public static <T> Reading<T> start(
            Session session,
            List<Path> files,
            RankSelection selection,
            Function<Trace, T> keep,
            LongConsumer progress) {
        return new Reading<>(session, RankFiles.choose(files, selection), keep, null, null, progress);
    }

    /**
     * Begins to read a run of which something is kept that depends on the numbers of its ranks, as the names of their files do.
     * Each trace is taken under the number that it is likely to have. If that turns out to be another, it is read and taken
     * again when the run is finished, and what was kept of it before is let go.
     *
     * @param <T> what is kept of each trace
     * @param session lends its threads and knows the formats
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @param keep takes from a trace what outlives it; called by several threads at a time
     * @param discard lets go of what was kept of a trace under a wrong number
     * @param line also takes each trace, after {@code keep}; may be null
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the run, to be finished or abandoned
     * @hidden for the program's own modules
     */
    public static <T> Reading<T> startByRank(
            Session session,
            List<Path> files,
            RankSelection selection,
            Function<Trace, T> keep,
            Consumer<T> discard,
            @Nullable OrderedTraceSink line,
            LongConsumer progress) {
        return new Reading<>(session, RankFiles.choose(files, selection), keep, discard, line, progress);
    }

    /**
     * Reads a run as {@link #startByRank} does.
     *
     * @param <T> what is kept of each trace
     * @param session lends its threads and knows the formats
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @param keep takes from a trace what outlives it; called by several threads at a time
     * @param discard lets go of what was kept of a trace under a wrong number
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the ranks, at least one of which was read
     * @throws UserException when several files claim one rank and the selection does not tell which is meant
     * @throws IOException when no file can be read
     * @hidden for the program's own modules
     */
    public static <T> RankSet<T> readByRank(
            Session session,
            List<Path> files,
            RankSelection selection,
            Function<Trace, T> keep,
            Consumer<T> discard,
            LongConsumer progress)
            throws IOException {
        return startByRank(session, files, selection, keep, discard, null, progress)
                .demandOne();
    }

    /**
     * A run that is being read. Confined to one thread.
     *
     * @param <T> what is kept of each trace
     * @hidden for the program's own modules
     */
    public static final class Reading<T> {
        private final Session session;
        private final List<Path> files;
        private final Function<Trace, T> keep;
        private final @Nullable Consumer<T> discard;
        private final Map<Path, Integer> order = new HashMap<>();
        private final LongConsumer progress;
        private final @Nullable ReadingOrder turns;
        private final AtomicLong finished = new AtomicLong();
        private final List<CompletableFuture<Void>> begun = new ArrayList<>();
        private final Map<Path, List<Loaded<T>>> loaded = new ConcurrentHashMap<>();

        /** Files that nobody reads yet: all, and those of the beginning that are given to the threads. */
        private final Deque<Path> left;

        private final Deque<Path> given = new ArrayDeque<>();
        private int place;

        /** Whether there will be no run, so that no further file is begun. */
        private volatile boolean failed;

        private Reading(
                Session session,
                List<Path> files,
                Function<Trace, T> keep,
                @Nullable Consumer<T> discard,
                @Nullable OrderedTraceSink line,
                LongConsumer progress) {
            this.session = session;
            this.files = files;
            this.keep = keep;
            this.discard = discard;
            this.progress = progress;
            files.forEach(file -> order.put(file, order.size()));
            Map<Path, Integer> planned = line == null ? Map.of() : RankFiles.inOrder(files);
            this.turns = line == null ? null : new ReadingOrder(line, planned);
            this.left = new ArrayDeque<>(line == null ? session.budget().smallFirst(files) : planned.keySet());
            begin();
        }

        /** Begins the small files up to the next large one. */
        private void begin() {
            List<Path> next = new ArrayList<>();
            while (!left.isEmpty() && session.budget().isSmall(left.getFirst())) {
                next.add(left.removeFirst());
            }
            synchronized (given) {
                given.addAll(next);
            }
            next.forEach(file -> begun.add(CompletableFuture.runAsync(this::alone, session.pool())));
        }

        /** Reads the next file on this thread alone. Files get their memory in their order. */
        private void alone() {
            Path file;
            int own;
            ReadingBudget.Share share;
            if (failed) {
                return;
            }
            synchronized (given) {
                file = given.removeFirst();
                own = place++;
                share = session.budget().take(file);
            }
            load(file, own, null, share::close);
            progress.accept(finished.addAndGet(share.bytes()));
        }

        /** Reads a file with all threads. */
        private void together(Path file) {
            long before = finished.get();
            load(file, place++, bytes -> progress.accept(before + bytes), () -> {});
            finished.addAndGet(session.budget().unpacked(file));
        }

        private void load(Path file, int own, @Nullable LongConsumer told, Runnable memory) {
            List<Trace> read = new ArrayList<>();
            boolean handed = false;
            try {
                List<Loaded<T>> ranks =
                        RankSet.load(session, file, (trace, inside) -> kept(trace, file, inside, read), whole(), told);
                loaded.put(file, ranks);
                if (turns != null) {
                    handed = true;
                    turns.bring(own, new ReadingOrder.Held(ranks, read, memory));
                }
            } catch (RuntimeException | Error e) {
                failed = true;
                throw e;
            } finally {
                if (!handed) {
                    memory.run();
                    stop();
                }
            }
        }

        private T kept(Trace trace, Path file, int inside, List<Trace> read) {
            T kept = keep.apply(discard == null ? trace : trace.withRank(likely(trace.info(), file, inside)));
            if (turns != null) {
                read.add(trace);
            }
            return kept;
        }

        /** The number of a rank before it is known what the others say. */
        private Rank likely(TraceInfo info, Path file, int inside) {
            Rank own = info.rank();
            return own.origin() != Rank.Origin.ORDER && RankNumbering.believed(own.index()) >= 0
                    ? own
                    : new Rank(order.getOrDefault(file, 0) + inside, Rank.Origin.ORDER);
        }

        private ReadOptions.Keep whole() {
            return turns == null ? ReadOptions.Keep.MEANING : ReadOptions.Keep.EVERYTHING;
        }

        private void stop() {
            if (turns != null) {
                turns.stop();
            }
        }

        /**
         * Waits until nothing is read any more, and lets go of what was kept.
         *
         * @param discard takes what was kept of each trace
         */
        public void abandon(Consumer<T> discard) {
            await();
            for (List<Loaded<T>> file : loaded.values()) {
                file.stream().map(Loaded::kept).filter(Objects::nonNull).forEach(discard);
            }
        }

        /**
         * {@return the run, once all of it was read; it may be that nothing could be read}
         *
         * @throws UserException when several files claim one rank
         */
        public RankSet<T> finish() {
            join();
            while (!left.isEmpty()) {
                together(left.removeFirst());
                begin();
                join();
            }
            List<Loaded<T>> traces = RankNumbering.withoutMerges(all());
            RankNumbering numbers = RankNumbering.of(traces);
            return arrange(discard == null ? traces : underNumbers(traces, numbers, discard), numbers);
        }

        private RankSet<T> demandOne() throws IOException {
            RankSet<T> ranks = finish();
            if (ranks.present().isEmpty()) {
                throw firstFailure(all());
            }
            return ranks;
        }

        /** Takes those again that were taken under another number than theirs. */
        private List<Loaded<T>> underNumbers(List<Loaded<T>> traces, RankNumbering numbers, Consumer<T> let) {
            List<Loaded<T>> taken = new ArrayList<>();
            Path open = null;
            List<Trace> inside = List.of();
            for (Loaded<T> one : traces) {
                Rank rank = numbers.of(one);
                if (rank == null) {
                    Objects.requireNonNull(loaded.get(one.file)).replaceAll(merged -> letGo(merged, let));
                    taken.add(one);
                } else if (rank.index()
                        == likely(Objects.requireNonNull(one.info), one.file, one.inside)
                                .index()) {
                    taken.add(one);
                } else {
                    List<Loaded<T>> ofFile = Objects.requireNonNull(loaded.get(one.file));
                    ofFile.set(one.inside, letGo(one, let));
                    inside = one.file.equals(open) ? inside : again(one.file);
                    open = one.file;
                    Loaded<T> numbered =
                            one.keeping(keep.apply(inside.get(one.inside).withRank(rank)));
                    ofFile.set(one.inside, numbered);
                    taken.add(numbered);
                }
            }
            return taken;
        }

        private static <T> Loaded<T> letGo(Loaded<T> one, Consumer<T> let) {
            if (one.kept != null) {
                let.accept(one.kept);
            }
            return new Loaded<>(one.file, one.inside, one.merged, one.info, one.problems, one.loss, null, one.unread);
        }

        private List<Trace> again(Path file) {
            try {
                return session.read(TraceInput.of(file), bytes -> {}, whole());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Nobody reads any more afterwards, also when a file has failed. */
        private void join() {
            await();
            begun.forEach(RankSet::join);
        }

        private void await() {
            begun.forEach(one -> one.handle((nothing, failure) -> true).join());
        }

        private List<Loaded<T>> all() {
            return files.stream()
                    .flatMap(file -> Objects.requireNonNull(loaded.get(file)).stream())
                    .toList();
        }
    }

    /**
     * Reads a run rank by rank in ascending order, as far as the beginnings of the files and their names tell it, so
     * that two ranks at most are in memory together: one that is taken, and the next. A file may hold several ranks.
     *
     * @param <T> what is kept of each trace
     * @param session lends its threads and knows the formats
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @param keep what the traces shall hold
     * @param take takes a trace, on the calling thread, while the next is read; it has its final rank
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the ranks, at least one of which was read
     * @throws UserException when several files claim one rank and the selection does not tell which is meant
     * @throws IOException when no file can be read
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public static <T> RankSet<T> readInOrder(
            Session session,
            List<Path> files,
            RankSelection selection,
            ReadOptions.Keep keep,
            Function<Trace, T> take,
            LongConsumer progress)
            throws IOException {
        return new RanksInOrder<>(session, RankFiles.choose(files, selection), keep, take, progress).read();
    }

    /**
     * {@return the ranks of files that others have read}
     *
     * @param <T> what is kept of each trace
     * @param loaded what they were read as, in the order of {@link #chosen}
     * @throws UserException when several claim one rank
     * @throws IOException when none was read
     * @hidden for the program's own modules
     */
    public static <T> RankSet<T> of(List<Loaded<T>> loaded) throws IOException {
        if (loaded.stream().allMatch(one -> one.kept == null)) {
            throw firstFailure(loaded);
        }
        List<Loaded<T>> traces = RankNumbering.withoutMerges(loaded);
        return arrange(traces, RankNumbering.of(traces));
    }

    /**
     * {@return the files that are meant, in an order that does not depend on how they were given}
     *
     * @param files candidates
     * @param selection which traces are meant where a rank has several
     * @throws UserException when several files claim one rank and the selection does not tell which is meant
     * @hidden for the program's own modules
     */
    public static List<Path> chosen(List<Path> files, RankSelection selection) {
        return RankFiles.choose(files, selection);
    }

    /**
     * The files of a run by rank, as far as their beginnings and names tell.
     *
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @return empty when a file tells none, or several tell one
     * @throws UserException when several files claim one rank and the selection does not tell which is meant
     * @hidden for the program's own modules
     */
    public static Map<Integer, Path> numbered(List<Path> files, RankSelection selection) {
        return RankFiles.numbered(RankFiles.choose(files, selection));
    }

    /** {@return ranks by number, those that are missing among them; files that belong to none last} */
    public List<Member<T>> members() {
        return members;
    }

    /** {@return the ranks that were read, by number} */
    public List<Member<T>> present() {
        return members.stream().filter(m -> m.kept != null).toList();
    }

    /** {@return the files of the ranks that were read, by rank} */
    public Map<Integer, String> files() {
        Map<Integer, String> files = new TreeMap<>();
        present().forEach(member -> files.put(member.rank(), member.source()));
        return files;
    }

    /**
     * {@return the same ranks, of which something else is kept}
     *
     * @param <U> what is kept instead
     * @param change called once for each member, in their order
     */
    public <U> RankSet<U> withKept(Function<Member<T>, U> change) {
        List<Member<U>> changed = members.stream()
                .map(m -> new Member<>(
                        m.rank,
                        m.origin,
                        m.file,
                        m.source,
                        m.status,
                        m.note,
                        m.info,
                        m.kept == null ? null : change.apply(m)))
                .toList();
        return new RankSet<>(changed, worldSize);
    }

    /**
     * {@return the same ranks where no others were asked for: those from 0 on, the missing among them}
     *
     * @param count how many were asked for; of ranks beyond, nothing is said
     */
    public RankSet<T> first(int count) {
        List<Member<T>> asked = new ArrayList<>();
        for (int rank = 0; rank < count; rank++) {
            int number = rank;
            asked.add(members.stream()
                    .filter(member -> member.rank == number)
                    .findFirst()
                    .orElseGet(() -> missing(number, NO_FILE)));
        }
        members.stream().filter(member -> member.rank < 0).forEach(asked::add);
        return new RankSet<>(asked, count);
    }

    /** {@return number of ranks of the run as far as known, at least that of its members} */
    public int worldSize() {
        return worldSize;
    }

    /** {@return whether every rank is there and whole} */
    public boolean isComplete() {
        return members.stream().allMatch(Member::isWhole);
    }

    private static <R> R join(CompletableFuture<R> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    private interface Keeping<T> {
        T keep(Trace trace, int inside);
    }

    /**
     * The ranks of a file: one, or all of a merged file.
     *
     * @param progress null to read on the calling thread alone
     */
    private static <T> List<Loaded<T>> load(
            Session session, Path file, Keeping<T> keep, ReadOptions.Keep whole, @Nullable LongConsumer progress) {
        TraceInput input = TraceInput.of(file);
        List<Loaded<T>> loaded = new ArrayList<>();
        try {
            List<Trace> read =
                    progress == null ? session.readAlone(input, whole) : session.read(input, progress, whole);
            for (Trace trace : ofRanks(input, read)) {
                loaded.add(Loaded.of(file, read, loaded.size(), trace.info(), keep.keep(trace, loaded.size())));
            }
        } catch (IOException e) {
            loaded.add(Loaded.not(file, UnreadFile.of(input, e)));
        }
        return loaded;
    }

    /**
     * {@return the same traces}
     *
     * @param input the file
     * @param traces what it was read as
     * @throws TraceFormatException when they hold no rank's events, as memory snapshots
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public static List<Trace> ofRanks(TraceInput input, List<Trace> traces) throws TraceFormatException {
        for (Trace trace : traces) {
            TraceFormat apart = TraceFormats.apart(trace.info().format()).orElse(null);
            if (apart != null) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN,
                        trace.info().source(),
                        -1,
                        "this is one of the " + apart.title() + ", which hold no rank's events",
                        "'lockstep memory' explains it.");
            }
        }
        return traces;
    }

    static <T> IOException firstFailure(List<Loaded<T>> loaded) {
        for (Loaded<T> one : loaded) {
            if (one.unread != null) {
                return one.unread.failure();
            }
        }
        throw new IllegalStateException();
    }

    // ---- who is there ----

    static <T> RankSet<T> arrange(List<Loaded<T>> loaded, RankNumbering numbers) {
        Map<Integer, Member<T>> byRank = new TreeMap<>();
        List<Member<T>> others = new ArrayList<>();
        int world = 0;
        for (Loaded<T> one : loaded) {
            List<Rank> ranks = numbers.all(one);
            for (Rank rank : ranks) {
                byRank.put(rank.index(), member(one, rank, numbers));
                world = Math.max(world, rank.index() + 1);
            }
            if (ranks.isEmpty()) {
                others.add(member(one, null, numbers));
            }
            for (Rank rank : numbers.lost(one.file)) {
                byRank.put(rank.index(), lost(one.file, rank, numbers));
                world = Math.max(world, rank.index() + 1);
            }
            int said = one.info == null ? 0 : one.info.worldSize();
            world = Math.max(world, said > RankNumbering.MOST_RANKS ? 0 : said);
        }
        String why = numbers.hasUnplaced() ? NO_READABLE_FILE : NO_FILE;
        for (int rank = 0; rank < world; rank++) {
            byRank.putIfAbsent(rank, missing(rank, why));
        }
        List<Member<T>> members = new ArrayList<>(byRank.values());
        others.sort(Comparator.comparing(Member::source));
        members.addAll(others);
        return new RankSet<>(members, world);
    }

    private static <T> Member<T> missing(int rank, String why) {
        return new Member<>(rank, null, null, "", Status.MISSING, why, null, null);
    }

    private static <T> Member<T> lost(Path file, Rank rank, RankNumbering numbers) {
        String note = NOTHING_LEFT + "; " + numbers.remark(file);
        return new Member<>(rank.index(), rank.origin(), file, file.toString(), Status.UNREADABLE, note, null, null);
    }

    private static <T> Member<T> member(Loaded<T> one, @Nullable Rank rank, RankNumbering numbers) {
        Status status = !one.isTrace()
                ? Status.SET_ASIDE
                : one.unread != null ? Status.UNREADABLE : one.loss ? Status.PARTIAL : Status.READ;
        StringJoiner note = new StringJoiner("; ");
        if (one.unread != null) {
            note.add(one.unread.failure().getMessage());
        }
        String remark = numbers.remark(one.file);
        if (!remark.isEmpty()) {
            note.add(remark);
        }
        if (one.info != null && one.info.worldSize() > RankNumbering.MOST_RANKS) {
            note.add("the trace says that the run has " + one.info.worldSize() + " ranks, which is not believed");
        }
        int claimed = Math.max(
                one.info == null ? -1 : one.info.rank().index(),
                RankNames.rankOf(one.file).orElse(-1));
        if (claimed != RankNumbering.believed(claimed)) {
            note.add("rank " + claimed + " is not believed");
        }
        for (Entry e : one.problems) {
            note.add(e.count() + " x " + e.code() + ": " + e.message());
        }
        int named = RankNumbering.namedAlone(one);
        if (rank != null && named >= 0 && named != rank.index()) {
            note.add("the path says rank " + named);
        }
        int stated = RankNumbering.stated(one);
        if (rank != null && stated >= 0 && stated != rank.index()) {
            note.add("the trace says rank " + stated);
        }
        return new Member<>(
                rank == null ? -1 : rank.index(),
                rank == null ? null : rank.origin(),
                one.file,
                one.file.toString(),
                status,
                note.toString(),
                one.info == null || rank == null ? one.info : one.info.withRank(rank),
                one.kept);
    }
}
