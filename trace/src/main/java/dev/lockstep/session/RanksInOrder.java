// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.derive.HostNames;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.RankSet.Loaded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * The ranks of a run one after the other, each under its final number. They are taken as they are read as long as nothing that
 * is read later can change their numbers. Those behind are all read first, to see what they are, and again to be taken.
 *
 * @param <T> what is kept of each trace
 */
final class RanksInOrder<T> {
    private final Session session;
    private final List<Path> files;
    private final ReadOptions.Keep keep;
    private final Function<Trace, T> take;
    private final LongConsumer progress;
    private final Map<Path, List<Loaded<T>>> taken = new HashMap<>();
    private final Map<RankNumbering.Place, Integer> given = new HashMap<>();

    RanksInOrder(
            Session session, List<Path> files, ReadOptions.Keep keep, Function<Trace, T> take, LongConsumer progress) {
        this.session = session;
        this.files = files;
        this.keep = keep;
        this.take = take;
        this.progress = progress;
    }

    RankSet<T> read() throws IOException {
        Map<Path, Integer> planned = RankFiles.inOrder(files);
        RankNumbering.Ahead numbers = new RankNumbering.Ahead(planned);
        Map<Path, List<Loaded<Boolean>>> seen = new HashMap<>();
        try (ReadAhead ahead = new ReadAhead(session, List.copyOf(planned.keySet()), keep, progress)) {
            while (ahead.hasNext()) {
                List<Trace> inside = new ArrayList<>();
                List<Loaded<Boolean>> facts = facts(ahead, inside);
                List<Rank> ranks = numbers.next(facts);
                if (ranks == null) {
                    seen.put(facts.getFirst().file(), facts);
                } else {
                    take(facts, inside, ranks);
                }
            }
        }
        if (!seen.isEmpty()) {
            takeSeen(seen);
        }
        List<Loaded<T>> all = new ArrayList<>();
        files.forEach(file -> all.addAll(Objects.requireNonNull(taken.get(file))));
        if (all.stream().allMatch(one -> one.kept() == null)) {
            throw RankSet.firstFailure(all);
        }
        RankNumbering settled = RankNumbering.of(all);
        demandGiven(settled, all);
        return RankSet.arrange(all, settled);
    }

    private List<Loaded<Boolean>> facts(ReadAhead ahead, List<Trace> inside) {
        Path file = ahead.file();
        List<Loaded<Boolean>> facts = new ArrayList<>();
        try {
            inside.addAll(RankSet.ofRanks(TraceInput.of(file), ahead.next()));
            for (Trace trace : inside) {
                facts.add(Loaded.of(file, inside, facts.size(), HostNames.alone(trace.info()), true));
            }
            return facts;
        } catch (IOException e) {
            return List.of(Loaded.not(file, UnreadFile.of(TraceInput.of(file), e)));
        }
    }

    /** Takes the ranks of a file; none where it was not read, or was merged of others. */
    private void take(List<Loaded<Boolean>> facts, List<Trace> inside, List<Rank> ranks) {
        Loaded<Boolean> first = facts.getFirst();
        List<Loaded<T>> own = new ArrayList<>();
        for (Rank rank : ranks) {
            Loaded<Boolean> one = facts.get(own.size());
            Trace trace = inside.get(own.size());
            given.put(RankNumbering.Place.of(one), rank.index());
            own.add(Loaded.of(
                    one.file(),
                    inside,
                    one.inside(),
                    Objects.requireNonNull(one.info()),
                    take.apply(trace.withRank(rank))));
        }
        if (ranks.isEmpty()) {
            own.add(Loaded.not(
                    first.file(),
                    first.unread() == null ? UnreadFile.noTrace(MergedTraces.leftOut()) : first.unread()));
        }
        taken.put(first.file(), own);
    }

    /** Takes the files whose numbers were not certain, now that all were seen. */
    private void takeSeen(Map<Path, List<Loaded<Boolean>>> seen) throws IOException {
        List<Loaded<Boolean>> all = new ArrayList<>();
        for (Path file : files) {
            List<Loaded<Boolean>> facts = seen.get(file);
            if (facts != null) {
                all.addAll(facts);
            } else {
                Objects.requireNonNull(taken.get(file)).forEach(one -> all.add(one.keeping(true)));
            }
        }
        List<Loaded<Boolean>> ofRun = RankNumbering.withoutMerges(all);
        RankNumbering numbers = RankNumbering.of(ofRun);
        Map<Path, List<Rank>> order = new LinkedHashMap<>();
        ofRun.stream()
                .filter(one -> seen.containsKey(one.file()))
                .sorted(Comparator.comparingInt(one -> first(numbers.all(one))))
                .forEach(one -> {
                    List<Rank> ranks = order.computeIfAbsent(one.file(), file -> new ArrayList<>());
                    Rank rank = numbers.of(one);
                    if (rank != null) {
                        ranks.add(rank);
                    }
                });
        try (ReadAhead ahead = new ReadAhead(session, toRead(order), keep, bytes -> {})) {
            for (Map.Entry<Path, List<Rank>> file : order.entrySet()) {
                List<Loaded<Boolean>> facts = Objects.requireNonNull(seen.get(file.getKey()));
                List<Trace> inside = file.getValue().isEmpty() ? List.of() : ahead.next();
                if (inside.size() < file.getValue().size()) {
                    throw new IOException(file.getKey() + ": the file was changed while it was read");
                }
                take(facts, inside, file.getValue());
            }
        }
    }

    private static List<Path> toRead(Map<Path, List<Rank>> order) {
        return order.entrySet().stream()
                .filter(file -> !file.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static int first(List<Rank> ranks) {
        return ranks.isEmpty() ? Integer.MAX_VALUE : ranks.getFirst().index();
    }

    /** A number that was certain changes where a file says at its end, unlike all others, which rank it is. */
    private void demandGiven(RankNumbering settled, List<Loaded<T>> all) {
        Map<Integer, List<Path>> claims = new TreeMap<>();
        for (Loaded<T> one : all) {
            Rank rank = settled.of(one);
            Integer number = given.get(RankNumbering.Place.of(one));
            if (rank != null && number != null && number != rank.index()) {
                claims.computeIfAbsent(number, n -> new ArrayList<>()).add(one.file());
            }
        }
        for (Loaded<T> one : all) {
            Rank rank = settled.of(one);
            List<Path> claimants = rank == null ? null : claims.get(rank.index());
            if (claimants != null) {
                claimants.add(one.file());
            }
        }
        if (!claims.isEmpty()) {
            throw RankFiles.several(claims);
        }
    }
}
