// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.millis;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.hangs.dump.DumpedJob;
import dev.lockstep.hangs.dump.Group;
import dev.lockstep.hangs.dump.RankDump;
import dev.lockstep.hangs.wait.Diagnosis.Differing;
import dev.lockstep.hangs.wait.Diagnosis.Wait;
import dev.lockstep.hangs.wait.HangVerdict;
import dev.lockstep.report.Chart;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tables about a hang, and the picture of how far each rank came in each kind of group. */
final class HangTables {
    static final String VERDICTS = "hang_verdict";
    private static final int MOST_ROWS_DRAWN = 128;
    private static final int MOST_KINDS_DRAWN = 32;

    private final DumpedJob job;
    private final List<HangVerdict> verdicts;
    private final List<@Nullable Wait> waiting;

    HangTables(DumpedJob job, List<HangVerdict> verdicts, List<@Nullable Wait> waiting) {
        this.job = job;
        this.verdicts = verdicts;
        this.waiting = waiting;
    }

    Table verdicts() {
        return new Fields<HangVerdict>()
                .add(
                        text("kind", "What happened, in one word; 'nobody' as culprit where the dumps do not say who."),
                        v -> v.kind().word())
                .add(
                        text("culprits", "Ranks whose doing it is; missing where the dumps do not say."),
                        v -> v.culprits().isEmpty() ? null : numbers(v.culprits()))
                .add(
                        text("parties", "Where no culprit is known, the ranks among which it happened."),
                        v -> v.parties().isEmpty() ? null : numbers(v.parties()))
                .add(
                        text("group", "Name of the process group whose operation does not end."),
                        v -> v.group().name())
                .add(
                        text("description", "What the program calls the group; may be missing."),
                        v -> named(v.group().desc()))
                .add(id("sequence", "Number of the operation in the group."), HangVerdict::sequence)
                .add(
                        text("waits in", "The call that others wait in."),
                        v -> v.wanted().call())
                .add(
                        text(
                                "called instead",
                                "The call of a culprit, its last where it made none there; may be missing."),
                        v -> v.instead() == null ? null : v.instead().call())
                .add(
                        text(
                                "frames of those who wait",
                                "From where one of them called, the innermost frame first; may be missing."),
                        v -> named(v.wanted().stack()))
                .add(
                        text(
                                "frames of culprit",
                                "From where the culprit called, the innermost frame first; may be missing."),
                        v -> v.instead() == null ? null : named(v.instead().stack()))
                .add(text("waiting ranks", "Ranks that wait in the operation."), v -> numbers(v.waiting()))
                .add(text("verdict", "The same as a sentence."), HangWords::sentence)
                .table(VERDICTS, "Why the job does not go on", verdicts);
    }

    /** How far members of a group came. */
    private record Progress(
            Group group,
            int dumps,
            long least,
            long most,
            long leastDone,
            long mostDone,
            List<Integer> behind,
            int waiting) {}

    Table groups() {
        Map<Group, Integer> waits = new LinkedHashMap<>();
        for (Wait one : waiting) {
            if (one != null) {
                waits.merge(one.group(), 1, Integer::sum);
            }
        }
        List<Progress> rows = new ArrayList<>();
        for (Group group : job.groups()) {
            rows.add(progress(group, waits.getOrDefault(group, 0)));
        }
        return new Fields<Progress>()
                .add(text("group", "Name of the process group."), p -> p.group().name())
                .add(
                        text("description", "What the program calls it; may be missing."),
                        p -> named(p.group().desc()))
                .add(
                        text("library", "Its backend; missing for a group without calls."),
                        p -> named(p.group().backend()))
                .add(count("members", "How many ranks it has."), p ->
                        (long) p.group().size())
                .add(count("dumps", "How many of them left a dump."), p -> (long) p.dumps())
                .add(
                        id("first called", "The last collective that every member with a dump has called."),
                        Progress::least)
                .add(id("last called", "The last collective that any member has called."), Progress::most)
                .add(
                        id("first completed", "The last collective that every member with a dump has completed."),
                        Progress::leastDone)
                .add(id("last completed", "The last collective that any member has completed."), Progress::mostDone)
                .add(count("waiting", "Members that wait in a call of the group."), p -> (long) p.waiting())
                .add(
                        text("behind", "Members that have called fewer collectives than others; missing for none."),
                        p -> p.behind().isEmpty() ? null : numbers(p.behind()))
                .table("hang_groups", "Process groups, and how far their members came", rows);
    }

    private Progress progress(Group group, int waits) {
        long least = Long.MAX_VALUE;
        long most = 0;
        long leastDone = Long.MAX_VALUE;
        long mostDone = 0;
        int dumps = 0;
        for (int slot = 0; slot < group.size(); slot++) {
            if (group.dump(slot) >= 0) {
                RankDump dump = job.dumps().get(group.dump(slot));
                long called = dump.enqueued(group.local(slot));
                long done = dump.completed(group.local(slot));
                dumps++;
                least = Math.min(least, called);
                most = Math.max(most, called);
                leastDone = Math.min(leastDone, done);
                mostDone = Math.max(mostDone, done);
            }
        }
        List<Integer> behind = new ArrayList<>();
        for (int slot = 0; slot < group.size(); slot++) {
            if (group.dump(slot) >= 0 && job.dumps().get(group.dump(slot)).enqueued(group.local(slot)) < most) {
                behind.add(group.rank(slot));
            }
        }
        return new Progress(
                group, dumps, dumps == 0 ? 0 : least, most, dumps == 0 ? 0 : leastDone, mostDone, behind, waits);
    }

    /** A rank with or without a dump. */
    private record RankRow(
            int rank, @Nullable RankDump dump, @Nullable Wait head) {}

    Table ranks() {
        List<RankRow> rows = new ArrayList<>();
        long latest = -1;
        for (int d = 0; d < job.dumps().size(); d++) {
            RankDump dump = job.dumps().get(d);
            rows.add(new RankRow(dump.rank(), dump, waiting.get(d)));
            latest = Math.max(latest, dump.source().latestNs());
        }
        job.missing().forEach(rank -> rows.add(new RankRow(rank, null, null)));
        rows.sort((a, b) -> Integer.compare(a.rank(), b.rank()));
        long newest = latest;
        return new Fields<RankRow>()
                .add(id("rank", "The rank."), r -> (long) r.rank())
                .add(
                        text(
                                "state",
                                "waiting: in a call; idle: all that it called is done; no dump: nothing is known."),
                        HangTables::state)
                .add(
                        text("waits in", "The call in which it waits; missing for none."),
                        r -> of(r, (dump, wait) -> dump.call(wait.call()).words()))
                .add(
                        text("group", "The group of that call."),
                        r -> of(r, (dump, wait) -> wait.group().words()))
                .add(id("sequence", "Its number in the group."), r -> of(r, (dump, wait) -> wait.sequence()))
                .add(
                        text("on the device", "scheduled: not known to have begun; started: it has begun."),
                        r -> of(
                                r,
                                (dump, wait) -> dump.state(wait.call()) == RankDump.STARTED ? "started" : "scheduled"))
                .add(
                        text("frame", "The innermost frame of the call that belongs to no library; may be missing."),
                        r -> of(r, (dump, wait) -> named(place(dump, wait.call()))))
                .add(
                        text("last call", "The last call that it made; missing where it made none."),
                        r -> r.dump() == null || r.dump().size() == 0
                                ? null
                                : r.dump().call(r.dump().size() - 1).words())
                .add(
                        text("frame of last call", "As above, of the last call."),
                        r -> r.dump() == null || r.dump().size() == 0
                                ? null
                                : named(place(r.dump(), r.dump().size() - 1)))
                .add(
                        millis(
                                "silent ms",
                                "From its last call to the latest time in any dump, by the clocks of hosts; may be"
                                        + " missing."),
                        r -> silent(r.dump(), newest))
                .add(
                        count("calls", "Calls in the dump; missing without one."),
                        r -> r.dump() == null ? null : (long) r.dump().size())
                .add(
                        count("lost calls", "Calls that the ring buffer has lost."),
                        r -> r.dump() == null ? null : r.dump().source().lost())
                .add(
                        text("version", "Version of the dump."),
                        r -> r.dump() == null ? null : r.dump().source().version())
                .add(
                        text("file", "The dump."),
                        r -> r.dump() == null ? null : r.dump().source().file())
                .table("hang_ranks", "Where each rank is", rows);
    }

    /** Takes something from a rank that waits. */
    private interface Part {
        @Nullable
        Object of(RankDump dump, Wait wait);
    }

    private static @Nullable Object of(RankRow row, Part part) {
        return row.dump() == null || row.head() == null ? null : part.of(row.dump(), row.head());
    }

    private static String state(RankRow row) {
        return row.dump() == null ? "no dump" : row.head() == null ? "idle" : "waiting";
    }

    private static String place(RankDump dump, int call) {
        return new HangVerdict.Made(0, "", dump.stack(call), "").place();
    }

    private static @Nullable Long silent(@Nullable RankDump dump, long newest) {
        if (dump == null || dump.size() == 0) {
            return null;
        }
        long last = dump.created(dump.size() - 1);
        return last < 0 || newest < last ? null : newest - last;
    }

    /** Who waits for whom. */
    private record Edge(int rank, int other, Wait in, String why) {}

    Table waits() {
        List<Edge> rows = new ArrayList<>();
        for (Wait one : waiting) {
            if (one != null) {
                int most = 8;
                one.absent().stream()
                        .limit(most)
                        .forEach(other -> rows.add(new Edge(one.rank(), other, one, "not called")));
                one.held().stream()
                        .filter(other -> other != one.rank())
                        .limit(most)
                        .forEach(other -> rows.add(new Edge(one.rank(), other, one, "waits in an earlier call")));
                one.undumped().stream()
                        .limit(most)
                        .forEach(other -> rows.add(new Edge(one.rank(), other, one, "no dump")));
            }
        }
        return new Fields<Edge>()
                .add(id("rank", "The rank that waits."), e -> (long) e.rank())
                .add(id("waits for", "A member that keeps it waiting, the first eight of each kind."), e ->
                        (long) e.other())
                .add(
                        text(
                                "why",
                                "not called: it did not make the call; waits in an earlier call: it queues behind"
                                        + " that; no dump: unknown."),
                        Edge::why)
                .add(
                        text("group", "Name of the process group."),
                        e -> e.in().group().name())
                .add(id("sequence", "Number of the operation in the group."), e -> e.in().sequence())
                .table("hang_waits_for", "Who waits for whom", rows);
    }

    Table mismatches(List<Differing> rows) {
        return new Fields<Differing>()
                .add(text("group", "Name of the process group."), d -> d.group().name())
                .add(id("sequence", "Number of the operation in the group."), Differing::sequence)
                .add(id("rank", "A member that differs."), d -> (long) d.rank())
                .add(
                        text("field", "In what it differs, as in the kind of verdicts."),
                        d -> d.kind().word())
                .add(text("value", "What it has."), Differing::value)
                .add(
                        text("majority", "What most members have; missing where there is no majority."),
                        d -> named(d.others()))
                .table("hang_mismatches", "Calls that differ between members", rows);
    }

    /** By how many collectives each rank is behind the first in its group, in each kind of group. */
    Optional<Chart> progress() {
        Map<String, List<Group>> kinds = new LinkedHashMap<>();
        for (Group group : job.groups()) {
            String kind = group.desc().isEmpty() ? "group " + group.name() : group.desc();
            kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(group);
        }
        TreeSet<Integer> shown = new TreeSet<>();
        verdicts.forEach(v -> {
            shown.addAll(v.culprits());
            shown.addAll(v.parties().stream().limit(MOST_ROWS_DRAWN / 4).toList());
        });
        job.dumps().stream().map(RankDump::rank).limit(MOST_ROWS_DRAWN).forEach(shown::add);
        List<Integer> ranks = shown.stream().limit(MOST_ROWS_DRAWN).toList();
        List<String> names = kinds.keySet().stream().limit(MOST_KINDS_DRAWN).toList();
        if (ranks.size() < 2 || names.isEmpty()) {
            return Optional.empty();
        }
        double[][] values = new double[ranks.size()][names.size()];
        for (int column = 0; column < names.size(); column++) {
            for (double[] row : values) {
                row[column] = Double.NaN;
            }
            for (Group group : kinds.getOrDefault(names.get(column), List.of())) {
                long most = progress(group, 0).mostDone();
                for (int row = 0; row < values.length; row++) {
                    int slot = group.slot(ranks.get(row));
                    int d = slot < 0 ? -1 : group.dump(slot);
                    if (d >= 0) {
                        values[row][column] = most - job.dumps().get(d).completed(group.local(slot));
                    }
                }
            }
        }
        return Optional.of(new Chart.Heat(
                "How far each rank is behind",
                "Collectives that others of the group have completed and the rank has not, by kind of group.",
                "",
                ranks.stream().map(rank -> "rank " + rank).toList(),
                names,
                values,
                Chart.Scale.LOSS));
    }

    private static @Nullable String named(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String numbers(List<Integer> ranks) {
        int[] sorted = ranks.stream().mapToInt(Integer::intValue).toArray();
        Arrays.sort(sorted);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < sorted.length; ) {
            int j = i;
            while (j + 1 < sorted.length && sorted[j + 1] == sorted[j] + 1) {
                j++;
            }
            out.append(out.isEmpty() ? "" : ", ").append(sorted[i]).append(j > i ? "-" + sorted[j] : "");
            i = j + 1;
        }
        return out.toString();
    }
}
