// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.derive.HostNames;
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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one run: a file for each, who is who, and who is missing. Of a trace only what the caller wants to keep
 * outlives its reading, so that a run may have more ranks than traces fit into memory.
 *
 * <p>A rank's number is the one that its trace states, else the one in its path, else its place among the files. If the
 * stated numbers are not distinct but those in the paths are, the paths are believed.
 *
 * @param <T> what is kept of each trace
 */
public final class RankSet<T> {
    /** No run has more ranks: a trace that says so, or has a higher number itself, is not believed. */
    private static final int MOST_RANKS = 1 << 17;

    /** How complete a rank is. */
    public enum Status {
        /** All of it was read. */
        READ,
        /** A part of its file is certainly missing. */
        PARTIAL,
        /** Its file cannot be read. */
        UNREADABLE,
        /** The run has it, but there is no file. */
        MISSING,
        /** The file is no trace and names no rank. */
        SET_ASIDE
    }

    /**
     * A rank, or a file that belongs to none.
     *
     * @param <T> what is kept of each trace
     * @param rank number, -1 when unknown
     * @param origin how the number is known, null when it is not, or when only the other ranks say so
     * @param source the file, empty for none
     * @param status how complete it is
     * @param note what is wrong, empty for nothing
     * @param info what the trace says about itself, of its metadata only the host; null when it was not read
     * @param kept what was kept of it, null when it was not read
     */
    public record Member<T>(
            int rank,
            Rank.@Nullable Origin origin,
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
     * @param info what the trace says about itself, of its metadata only the host; null when it was not read
     * @param problems what is wrong with it
     * @param loss whether a part of it is certainly missing
     * @param kept what is kept of it, null when it was not read
     * @param failure why it was not read, null when it was
     * @hidden for the program's own modules
     */
    public record Loaded<T>(
            Path file,
            @Nullable TraceInfo info,
            List<Entry> problems,
            boolean loss,
            @Nullable T kept,
            @Nullable IOException failure) {}

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
        Reading<T> reading = start(session, files, selection, keep, progress);
        RankSet<T> ranks = reading.finish();
        if (ranks.present().isEmpty()) {
            throw firstFailure(reading.all());
        }
        return ranks;
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
        return start(session, files, selection, keep, null, progress);
    }

    /**
     * As {@link #start(Session, List, RankSelection, Function, LongConsumer)}; {@code line} also takes each trace,
     * after {@code keep}.
     *
     * @param <T> what is kept of each trace
     * @param session lends its threads and knows the formats
     * @param files candidates; directories and patterns are resolved
     * @param selection which traces are meant where a rank has several
     * @param keep takes from a trace what outlives it; called by several threads at a time
     * @param line may be null
     * @param progress told now and then how many bytes of unpacked content were read
     * @return the run, to be finished or abandoned
     * @hidden for the program's own modules
     */
    public static <T> Reading<T> start(
            Session session,
            List<Path> files,
            RankSelection selection,
            Function<Trace, T> keep,
            @Nullable OrderedTraceSink line,
            LongConsumer progress) {
        return new Reading<>(session, RankFiles.choose(files, selection), keep, line, progress);
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
                @Nullable OrderedTraceSink line,
                LongConsumer progress) {
            this.session = session;
            this.files = files;
            this.keep = keep;
            this.progress = progress;
            this.turns = line == null ? null : new ReadingOrder(line);
            this.left = new ArrayDeque<>(line == null ? session.budget().smallFirst(files) : RankFiles.inOrder(files));
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
                loaded.put(file, RankSet.load(session, file, trace -> kept(trace, read), whole(), told));
                if (turns != null) {
                    handed = true;
                    turns.bring(own, new ReadingOrder.Held(file, read, memory));
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

        private T kept(Trace trace, List<Trace> read) {
            T kept = keep.apply(trace);
            if (turns != null) {
                read.add(trace);
            }
            return kept;
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
            return arrange(all());
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
        Map<Integer, List<Path>> claims = new TreeMap<>();
        List<Loaded<T>> loaded = new ArrayList<>();
        try (ReadAhead ahead =
                new ReadAhead(session, RankFiles.inOrder(RankFiles.choose(files, selection)), keep, progress)) {
            while (ahead.hasNext()) {
                Path file = ahead.file();
                try {
                    List<Trace> inside = ahead.next();
                    if (MergedTraces.areOf(inside.stream().map(Trace::info).toList(), claims.keySet())) {
                        loaded.add(failed(file, MergedTraces.leftOut()));
                        continue;
                    }
                    for (Trace trace : inside) {
                        Trace numbered = trace.withRank(claim(trace.info().rank(), file, claims));
                        loaded.add(new Loaded<>(
                                file,
                                HostNames.alone(trace.info()),
                                trace.diagnostics().problems(),
                                trace.diagnostics().hasLoss(),
                                take.apply(numbered),
                                null));
                    }
                } catch (IOException e) {
                    loaded.add(failed(file, e));
                }
            }
        }
        return of(loaded);
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
        return arrange(loaded);
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

    /** The rank of the next trace: stated, named, or the first that is free; one that is not believed is as none. */
    static Rank claim(Rank own, Path file, Map<Integer, List<Path>> claims) {
        Rank rank = own;
        int named = named(file);
        if (believed(own.index()) < 0 && named >= 0) {
            rank = new Rank(named, Rank.Origin.PATH);
        } else if (own.origin() == Rank.Origin.ORDER || believed(own.index()) < 0) {
            int free = 0;
            while (claims.containsKey(free)) {
                free++;
            }
            rank = new Rank(free, Rank.Origin.ORDER);
        }
        List<Path> before = claims.computeIfAbsent(rank.index(), r -> new ArrayList<>());
        before.add(file);
        if (before.size() > 1) {
            throw RankFiles.several(claims);
        }
        return rank;
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
                        m.rank, m.origin, m.source, m.status, m.note, m.info, m.kept == null ? null : change.apply(m)))
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
                    .orElseGet(() -> missing(number)));
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

    /**
     * The ranks of a file: one, or all of a merged file.
     *
     * @param progress null to read on the calling thread alone
     */
    private static <T> List<Loaded<T>> load(
            Session session,
            Path file,
            Function<Trace, T> keep,
            ReadOptions.Keep whole,
            @Nullable LongConsumer progress) {
        TraceInput input = TraceInput.of(file);
        try {
            List<Loaded<T>> loaded = new ArrayList<>();
            for (Trace trace :
                    progress == null ? session.readAlone(input, whole) : session.read(input, progress, whole)) {
                TraceFormat apart = TraceFormats.apart(trace.info().format()).orElse(null);
                if (apart != null) {
                    return List.of(failed(
                            file,
                            new TraceFormatException(
                                    ErrorCode.FORMAT_UNKNOWN,
                                    input.name(),
                                    -1,
                                    "this is one of the " + apart.title() + ", which hold no rank's events",
                                    "'lockstep memory' explains it.")));
                }
                loaded.add(new Loaded<>(
                        file,
                        trace.info(),
                        trace.diagnostics().problems(),
                        trace.diagnostics().hasLoss(),
                        keep.apply(trace),
                        null));
            }
            return loaded;
        } catch (IOException e) {
            return List.of(failed(file, e));
        }
    }

    private static <T> Loaded<T> failed(Path file, IOException failure) {
        return new Loaded<>(file, null, List.of(), true, null, failure);
    }

    private static <T> IOException firstFailure(List<Loaded<T>> loaded) {
        for (Loaded<T> one : loaded) {
            if (one.failure != null) {
                return one.failure;
            }
        }
        throw new IllegalStateException();
    }

    // ---- who is who ----

    /** Merged files beside the ranks that they were made of count as nothing. */
    private static <T> List<Loaded<T>> withoutMerges(List<Loaded<T>> all) {
        Map<Path, List<Loaded<T>>> byFile = new LinkedHashMap<>();
        all.forEach(one ->
                byFile.computeIfAbsent(one.file, file -> new ArrayList<>()).add(one));
        Set<Integer> ranks = new HashSet<>();
        byFile.values().stream()
                .filter(inside -> inside.size() == 1)
                .map(List::getFirst)
                .forEach(one -> ranks.add(stated(one) >= 0 ? stated(one) : named(one)));
        List<Loaded<T>> rest = new ArrayList<>();
        byFile.forEach((file, inside) -> {
            List<TraceInfo> infos = inside.stream()
                    .map(one -> one.info)
                    .filter(Objects::nonNull)
                    .toList();
            if (MergedTraces.areOf(infos, ranks)) {
                rest.add(failed(file, MergedTraces.leftOut()));
            } else {
                rest.addAll(inside);
            }
        });
        return rest;
    }

    private static <T> RankSet<T> arrange(List<Loaded<T>> all) {
        List<Loaded<T>> loaded = withoutMerges(all);
        IdentityHashMap<Loaded<T>, Rank> ranks = number(loaded);
        Map<Integer, Member<T>> byRank = new TreeMap<>();
        List<Member<T>> others = new ArrayList<>();
        int world = 0;
        for (Loaded<T> one : loaded) {
            Rank rank = ranks.get(one);
            Member<T> member = member(one, rank);
            if (rank == null) {
                others.add(member);
            } else {
                byRank.put(rank.index(), member);
                world = Math.max(world, rank.index() + 1);
            }
            int said = one.info == null ? 0 : one.info.worldSize();
            world = Math.max(world, said > MOST_RANKS ? 0 : said);
        }
        for (int rank = 0; rank < world; rank++) {
            byRank.putIfAbsent(rank, missing(rank));
        }
        List<Member<T>> members = new ArrayList<>(byRank.values());
        others.sort(Comparator.comparing(Member::source));
        members.addAll(others);
        return new RankSet<>(members, world);
    }

    private static <T> Member<T> missing(int rank) {
        return new Member<>(rank, null, "", Status.MISSING, "no file for this rank", null, null);
    }

    private static <T> Member<T> member(Loaded<T> one, @Nullable Rank rank) {
        Status status = one.kept == null
                ? rank == null ? Status.SET_ASIDE : Status.UNREADABLE
                : one.loss ? Status.PARTIAL : Status.READ;
        StringBuilder note = new StringBuilder();
        if (one.failure != null) {
            note.append(one.failure.getMessage());
        }
        if (one.info != null && one.info.worldSize() > MOST_RANKS) {
            note.append("the trace says that the run has ")
                    .append(one.info.worldSize())
                    .append(" ranks, which is not believed");
        }
        int claimed = Math.max(
                one.info == null ? -1 : one.info.rank().index(),
                RankNames.rankOf(one.file).orElse(-1));
        if (claimed != believed(claimed)) {
            note.append(note.isEmpty() ? "" : "; ")
                    .append("rank ")
                    .append(claimed)
                    .append(" is not believed");
        }
        for (Entry e : one.problems) {
            note.append(note.isEmpty() ? "" : "; ")
                    .append(e.count())
                    .append(" x ")
                    .append(e.code())
                    .append(": ")
                    .append(e.message());
        }
        int named = named(one);
        if (rank != null && named >= 0 && named != rank.index()) {
            note.append(note.isEmpty() ? "" : "; ")
                    .append("the path says rank ")
                    .append(named);
        }
        int stated = stated(one);
        if (rank != null && stated >= 0 && stated != rank.index()) {
            note.append(note.isEmpty() ? "" : "; ")
                    .append("the trace says rank ")
                    .append(stated);
        }
        return new Member<>(
                rank == null ? -1 : rank.index(),
                rank == null ? null : rank.origin(),
                one.file.toString(),
                status,
                note.toString(),
                one.info == null || rank == null ? one.info : one.info.withRank(rank),
                one.kept);
    }

    private static <T> IdentityHashMap<Loaded<T>, Rank> number(List<Loaded<T>> loaded) {
        ToIntFunction<Loaded<T>> byTrace = one -> stated(one) >= 0 ? stated(one) : named(one);
        ToIntFunction<Loaded<T>> byPath = one -> named(one) >= 0 ? named(one) : stated(one);
        boolean believe = distinct(loaded, byTrace);
        if (!believe && !distinct(loaded, byPath)) {
            throw RankFiles.several(claims(loaded, byTrace));
        }
        IdentityHashMap<Loaded<T>, Rank> ranks = new IdentityHashMap<>();
        Set<Integer> taken = new HashSet<>();
        for (Loaded<T> one : loaded) {
            int number = (believe ? byTrace : byPath).applyAsInt(one);
            if (number >= 0) {
                boolean byTheTrace = believe ? stated(one) >= 0 : named(one) < 0;
                ranks.put(one, new Rank(number, byTheTrace ? Rank.Origin.TRACE : Rank.Origin.PATH));
                taken.add(number);
            }
        }
        int next = 0;
        for (Loaded<T> one : loaded) {
            if (one.kept != null && !ranks.containsKey(one)) {
                while (!taken.add(next)) {
                    next++;
                }
                ranks.put(one, new Rank(next, Rank.Origin.ORDER));
            }
        }
        return ranks;
    }

    private static <T> boolean distinct(List<Loaded<T>> loaded, ToIntFunction<Loaded<T>> rankOf) {
        Set<Integer> seen = new HashSet<>();
        for (Loaded<T> one : loaded) {
            int rank = rankOf.applyAsInt(one);
            if (rank >= 0 && !seen.add(rank)) {
                return false;
            }
        }
        return true;
    }

    private static <T> Map<Integer, List<Path>> claims(List<Loaded<T>> loaded, ToIntFunction<Loaded<T>> rankOf) {
        Map<Integer, List<Path>> claims = new TreeMap<>();
        for (Loaded<T> one : loaded) {
            claims.computeIfAbsent(rankOf.applyAsInt(one), r -> new ArrayList<>())
                    .add(one.file);
        }
        return claims;
    }

    private static <T> int stated(Loaded<T> one) {
        return one.info != null && one.info.rank().origin() == Rank.Origin.TRACE
                ? believed(one.info.rank().index())
                : -1;
    }

    /** The path says nothing of a rank that its reader counted: the file holds several. */
    private static <T> int named(Loaded<T> one) {
        if (one.info != null && one.info.rank().origin() == Rank.Origin.ORDER) {
            return -1;
        }
        return named(one.file);
    }

    /** The rank that a path names; -1 for none, and for one that is not believed. */
    static int named(Path file) {
        return believed(RankNames.rankOf(file).orElse(-1));
    }

    /** The rank, or -1 where a run has no such rank. */
    static int believed(int rank) {
        return rank < MOST_RANKS ? rank : -1;
    }
}
