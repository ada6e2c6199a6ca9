// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import dev.lockstep.hangs.dump.Call;
import dev.lockstep.hangs.dump.DumpedJob;
import dev.lockstep.hangs.dump.Group;
import dev.lockstep.hangs.dump.RankDump;
import dev.lockstep.hangs.wait.History.Change;
import dev.lockstep.hangs.wait.History.Deviation;
import dev.lockstep.hangs.wait.History.Likeness;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Follows who waits for whom to where nobody is waited for: a rank that waits in nothing, an operation whose members disagree, an
 * operation that all members called. Only where there is none of these, ranks that wait in a circle are looked at, and last those
 * that left no dump: of them nothing is known.
 */
public final class Diagnosis {
    private static final int CONTEXT = 16;

    /** One of so many ranks, or fewer, are few. */
    private static final int FEW = 5;

    private final DumpedJob job;
    private final Waits waits;
    private final Map<Integer, List<Deviation>> deviations = new HashMap<>();

    private Diagnosis(DumpedJob job) {
        this.job = job;
        waits = new Waits(job);
    }

    /** The diagnosis of a job. */
    public static Diagnosis of(DumpedJob job) {
        return new Diagnosis(job);
    }

    /** Why the job does not go on, the gravest first; empty where nobody waits. */
    public List<HangVerdict> verdicts() {
        List<HangVerdict> found = new ArrayList<>(disagreements());
        found.addAll(absences(found));
        found.addAll(stuck(true));
        if (found.isEmpty()) {
            found.addAll(circles());
        }
        if (found.isEmpty()) {
            found.addAll(stuck(false));
        }
        if (found.isEmpty()) {
            found.addAll(leavers());
        }
        if (found.isEmpty()) {
            found.addAll(undumped());
        }
        return found;
    }

    /** What a rank waits in, for tables. */
    public record Wait(
            int rank,
            Group group,
            long sequence,
            boolean message,
            int call,
            List<Integer> absent,
            List<Integer> held,
            List<Integer> undumped) {}

    /** What each rank waits in, by place of its dump; null for those that wait in nothing. */
    public List<@Nullable Wait> waiting() {
        List<@Nullable Wait> all = new ArrayList<>();
        for (int d = 0; d < job.dumps().size(); d++) {
            Operation one = waits.operation(d);
            all.add(
                    one == null
                            ? null
                            : new Wait(
                                    job.dumps().get(d).rank(),
                                    one.group,
                                    one.sequence,
                                    one.message,
                                    waits.head(d),
                                    ranks(one.absent),
                                    ranks(one.held),
                                    one.undumped));
        }
        return all;
    }

    /** A member that differs from the others of an operation. */
    public record Differing(Group group, long sequence, int rank, HangKind kind, String value, String others) {}

    /** Members whose calls differ from those of most others, in operations that somebody waits in. */
    public List<Differing> differing() {
        List<Differing> all = new ArrayList<>();
        for (Operation one : waits.operations()) {
            Mismatch how = one.mismatch;
            if (how != null) {
                List<Integer> members = how.hasMajority()
                        ? how.minority()
                        : how.sides().stream().flatMap(List::stream).toList();
                for (int d : members) {
                    String others = how.hasMajority() ? how.values().getFirst() : "";
                    all.add(new Differing(
                            one.group, one.sequence, job.dumps().get(d).rank(), how.kind(), how.valueOf(d), others));
                }
            }
        }
        return all;
    }

    private List<HangVerdict> disagreements() {
        List<HangVerdict> found = new ArrayList<>();
        Map<Object, Operation> first = new LinkedHashMap<>();
        for (Operation one : waits.operations()) {
            if (one.mismatch != null) {
                Object key = one.message
                        ? new TreeSet<>(one.mismatch.sides().stream()
                                .flatMap(List::stream)
                                .toList())
                        : one.groupNumber;
                first.merge(key, one, (a, b) -> a.sequence <= b.sequence ? a : b);
            }
        }
        TreeSet<Integer> named = new TreeSet<>();
        for (Operation one : first.values()) {
            Mismatch how = one.mismatch;
            if (how == null) {
                continue;
            }
            List<Integer> culprits = how.hasMajority() ? how.minority() : decided(one, how);
            if (named.addAll(culprits) || culprits.isEmpty()) {
                found.add(disagreement(one, how, culprits));
            }
        }
        return found;
    }

    /** Where no side has a majority: whoever leaves the order of its own steps before, else whoever differs from groups alike. */
    private List<Integer> decided(Operation one, Mismatch how) {
        List<Integer> all = how.sides().stream().flatMap(List::stream).toList();
        List<Integer> leaving = all.stream()
                .filter(d -> {
                    Deviation own = deviation(d);
                    return own != null && own.at() <= callOf(one, d);
                })
                .toList();
        if (!leaving.isEmpty() && leaving.size() < all.size()) {
            return leaving;
        }
        if (one.message || leaving.size() == all.size()) {
            return List.of();
        }
        int[] votes = new int[how.values().size()];
        for (Group other : job.groups()) {
            boolean alike = other != one.group
                    && other.desc().equals(one.group.desc())
                    && other.backend().equals(one.group.backend())
                    && other.size() == one.group.size()
                    && !other.desc().isEmpty();
            for (int slot = 0; alike && slot < other.size(); slot++) {
                int d = other.dump(slot);
                int call = d < 0 ? -1 : job.dumps().get(d).find(other.local(slot), one.sequence);
                if (call >= 0) {
                    int side = how.values()
                            .indexOf(field(how.kind(), job.dumps().get(d).call(call)));
                    if (side >= 0) {
                        votes[side]++;
                    }
                }
            }
        }
        int most = IntStream.range(0, votes.length)
                .reduce((a, b) -> votes[b] > votes[a] ? b : a)
                .orElse(0);
        int rest = IntStream.of(votes).sum() - votes[most];
        return votes[most] > 2 * rest
                ? IntStream.range(0, votes.length)
                        .filter(side -> side != most)
                        .boxed()
                        .flatMap(side -> how.sides().get(side).stream())
                        .toList()
                : List.of();
    }

    private static String field(HangKind kind, Call call) {
        return switch (kind) {
            case OTHER_OPERATION -> call.kind();
            case OTHER_TYPE -> call.types();
            default -> Long.toString(call.size());
        };
    }

    private HangVerdict disagreement(Operation one, Mismatch how, List<Integer> culprits) {
        List<Integer> all = how.sides().stream().flatMap(List::stream).toList();
        int right = all.stream().filter(d -> !culprits.contains(d)).findFirst().orElse(all.getFirst());
        int wrong = culprits.isEmpty() ? how.sides().getLast().getFirst() : culprits.getFirst();
        HangKind kind = culprits.isEmpty() ? how.kind() : kind(one, how, wrong, right);
        return new HangVerdict(
                kind,
                ranks(culprits),
                culprits.isEmpty() ? ranks(all) : List.of(),
                one.group,
                one.sequence,
                one.message,
                made(right, callOf(one, right)),
                made(wrong, callOf(one, wrong)),
                List.of(how.valueOf(wrong), how.valueOf(right)),
                ranks(one.waiting));
    }

    private HangKind kind(Operation one, Mismatch how, int wrong, int right) {
        Deviation own = deviation(wrong);
        if (own != null && own.at() <= callOf(one, wrong)) {
            return changed(own, wrong, how.kind());
        }
        if (own != null || one.message) {
            return how.kind();
        }
        Map<String, Integer> numbers = new HashMap<>();
        int[] actual = following(one, wrong, numbers);
        int[] expected = following(one, right, numbers);
        return kind(History.change(actual, expected, Likeness.GROUP), how.kind());
    }

    /** The first calls of a member in the group from the operation on. */
    private int[] following(Operation one, int d, Map<String, Integer> numbers) {
        RankDump dump = job.dumps().get(d);
        List<Integer> found = new ArrayList<>();
        int local = one.group.local(one.group.slot(dump.rank()));
        for (long next = one.sequence; found.size() < CONTEXT; next++) {
            int call = dump.find(local, next);
            if (call < 0) {
                break;
            }
            String key = dump.call(call).kind()
                    + dump.call(call).size()
                    + dump.call(call).types()
                    + dump.stack(call);
            found.add(numbers.computeIfAbsent(key, k -> numbers.size()));
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Ranks that wait in nothing, and that others wait for. */
    private List<HangVerdict> absences(List<HangVerdict> before) {
        Map<Integer, Operation> missed = new TreeMap<>();
        Comparator<Operation> earlier = Comparator.comparingLong(this::since);
        for (Operation one : waits.operations()) {
            for (int d : one.absent) {
                if (waits.head(d) < 0) {
                    missed.merge(d, one, (a, b) -> earlier.compare(b, a) < 0 ? b : a);
                }
            }
        }
        TreeSet<Integer> named = new TreeSet<>();
        before.forEach(verdict -> named.addAll(verdict.culprits()));
        missed.keySet().removeIf(d -> named.contains(job.dumps().get(d).rank()));
        Map<HangKind, List<Integer>> byKind = new TreeMap<>();
        for (int d : missed.keySet()) {
            Deviation own = deviation(d);
            HangKind kind = own == null || own.change() == Change.EXTRA
                    ? HangKind.NEVER_ARRIVED
                    : changed(own, d, HangKind.NEVER_ARRIVED);
            byKind.computeIfAbsent(kind, k -> new ArrayList<>()).add(d);
        }
        List<HangVerdict> found = new ArrayList<>();
        byKind.forEach((kind, dumps) -> {
            Operation first = dumps.stream().map(missed::get).min(earlier).orElseThrow();
            int of = dumps.stream().filter(first.absent::contains).findFirst().orElse(dumps.getFirst());
            found.add(against(kind, dumps, first, of));
        });
        return found;
    }

    /** When the first of those who wait called an operation. */
    private long since(Operation one) {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < one.waiting.size(); i++) {
            first = Math.min(first, job.dumps().get(one.waiting.get(i)).created(one.calls.get(i)));
        }
        return first;
    }

    /** @param other what is said where a call was replaced */
    private HangKind changed(Deviation own, int d, HangKind other) {
        Call left = job.dumps().get(d).call(own.expected());
        boolean isOrder =
                own.change() == Change.SKIPPED || own.change() == Change.SWAPPED || own.change() == Change.ORDER;
        if (isOrder && left.isPeerToPeer()) {
            return left.kind().equals("send") ? HangKind.UNMATCHED_RECEIVE : HangKind.UNMATCHED_SEND;
        }
        return kind(own.change(), other);
    }

    private static HangKind kind(Change change, HangKind other) {
        return switch (change) {
            case SKIPPED -> HangKind.SKIPPED_CALL;
            case EXTRA -> HangKind.EXTRA_CALL;
            case SWAPPED -> HangKind.SWAPPED_CALLS;
            case OTHER_GROUP -> HangKind.OTHER_GROUP;
            case ORDER -> HangKind.OTHER_ORDER;
            case OTHER -> other;
        };
    }

    /** @param of the culprit whose last call is told */
    private HangVerdict against(HangKind kind, List<Integer> culprits, Operation one, int of) {
        int waiting = one.waiting.getFirst();
        RankDump dump = job.dumps().get(of);
        Deviation own = deviation(of);
        int last = own != null ? own.at() : waits.head(of) >= 0 ? waits.head(of) : dump.size() - 1;
        return new HangVerdict(
                kind,
                ranks(culprits),
                List.of(),
                one.group,
                one.sequence,
                one.message,
                made(waiting, one.calls.getFirst()),
                last < 0 ? null : made(of, last),
                List.of(),
                ranks(one.waiting));
    }

    /** Operations that all members called: those that few devices do not begin or end, or those of which nothing more is known. */
    private List<HangVerdict> stuck(boolean onFew) {
        List<HangVerdict> found = new ArrayList<>();
        for (Operation one : waits.operations()) {
            if (one.mismatch != null || !one.isComplete()) {
                continue;
            }
            List<Integer> few = few(one);
            if (onFew ? few.isEmpty() : !few.isEmpty() || !one.undumped.isEmpty()) {
                continue;
            }
            int of = few.isEmpty() ? one.waiting.getFirst() : few.getFirst();
            found.add(new HangVerdict(
                    few.isEmpty() ? HangKind.COLLECTIVE_STUCK : HangKind.STUCK_ON_DEVICE,
                    ranks(few),
                    few.isEmpty() ? ranks(one.waiting) : List.of(),
                    one.group,
                    one.sequence,
                    one.message,
                    made(of, callOf(one, of)),
                    null,
                    List.of(),
                    ranks(one.waiting)));
        }
        found.sort(Comparator.comparingInt((HangVerdict v) -> v.group().size()).reversed());
        return found;
    }

    /** Members whose devices do not begin what others have begun, or do not end what others have ended; none where they are most. */
    private List<Integer> few(Operation one) {
        if (one.message) {
            return List.of();
        }
        List<Integer> few = one.waiting;
        if (one.done.isEmpty()) {
            few = new ArrayList<>();
            for (int i = 0; i < one.waiting.size(); i++) {
                int d = one.waiting.get(i);
                RankDump dump = job.dumps().get(d);
                if (dump.source().isTimed() && dump.state(one.calls.get(i)) != RankDump.STARTED) {
                    few.add(d);
                }
            }
        }
        boolean othersBegan = one.waiting.size() > few.size() && isBegun(one);
        if (one.done.isEmpty() && !othersBegan) {
            return List.of();
        }
        int all = one.waiting.size() + one.done.size();
        return 2 * few.size() <= all ? few : List.of();
    }

    /** Whether some device has begun an operation. */
    private boolean isBegun(Operation one) {
        for (int i = 0; i < one.waiting.size(); i++) {
            if (job.dumps().get(one.waiting.get(i)).state(one.calls.get(i)) == RankDump.STARTED) {
                return true;
            }
        }
        return false;
    }

    private List<HangVerdict> circles() {
        List<HangVerdict> found = new ArrayList<>();
        for (List<Integer> circle : new WaitCircles(waits, job.dumps().size()).all()) {
            List<Integer> leaving =
                    circle.stream().filter(d -> deviation(d) != null).toList();
            Operation first = operation(circle.getFirst());
            if (!leaving.isEmpty() && leaving.size() < circle.size()) {
                int of = leaving.getFirst();
                Operation missed = circle.stream()
                        .map(this::operation)
                        .filter(one -> one.absent.contains(of) || one.held.contains(of))
                        .findFirst()
                        .orElse(first);
                Deviation own = deviation(of);
                HangKind kind = own == null ? HangKind.CIRCULAR_WAIT : changed(own, of, HangKind.OTHER_OPERATION);
                found.add(against(kind, leaving, missed, of));
                continue;
            }
            List<Integer> few = fewer(circle);
            if (!few.isEmpty()) {
                int of = few.getFirst();
                Operation missed = circle.stream()
                        .map(this::operation)
                        .filter(one -> one.absent.contains(of))
                        .findFirst()
                        .orElse(first);
                found.add(against(HangKind.OTHER_ORDER, few, missed, of));
                continue;
            }
            int second = circle.size() > 1 ? circle.get(1) : circle.getFirst();
            found.add(new HangVerdict(
                    HangKind.CIRCULAR_WAIT,
                    List.of(),
                    ranks(circle),
                    first.group,
                    first.sequence,
                    first.message,
                    made(circle.getFirst(), waits.head(circle.getFirst())),
                    made(second, waits.head(second)),
                    List.of(),
                    ranks(first.waiting)));
        }
        return found;
    }

    private Operation operation(int d) {
        return Objects.requireNonNull(waits.operation(d), "a rank in a circle waits");
    }

    /** Of members of two groups that call in both, those that began with another one than most; empty where that is even. */
    private List<Integer> fewer(List<Integer> circle) {
        for (int d : circle) {
            Operation own = operation(d);
            for (int other : own.absent) {
                Operation theirs = waits.operation(other);
                if (theirs == null || own.message || theirs.message || theirs.group == own.group) {
                    continue;
                }
                List<Integer> likeOwn = new ArrayList<>();
                List<Integer> likeTheirs = new ArrayList<>();
                own.waiting.stream().filter(theirs.absent::contains).forEach(likeOwn::add);
                theirs.waiting.stream().filter(own.absent::contains).forEach(likeTheirs::add);
                if (likeOwn.size() != likeTheirs.size() && !likeOwn.isEmpty() && !likeTheirs.isEmpty()) {
                    return likeOwn.size() < likeTheirs.size() ? likeOwn : likeTheirs;
                }
            }
        }
        return List.of();
    }

    /** Where a circle may lead through ranks without dumps: the few ranks that leave the order of their own steps before. */
    private List<HangVerdict> leavers() {
        List<Integer> leaving = new ArrayList<>();
        int waitingRanks = 0;
        for (int d = 0; d < job.dumps().size(); d++) {
            if (waits.head(d) >= 0) {
                waitingRanks++;
                if (deviation(d) != null) {
                    leaving.add(d);
                }
            }
        }
        if (leaving.isEmpty()
                || FEW * leaving.size() > waitingRanks
                || job.missing().isEmpty()) {
            return List.of();
        }
        int of = leaving.getFirst();
        Operation missed = waits.operations().stream()
                .filter(one -> one.absent.contains(of))
                .findFirst()
                .orElseGet(() -> operation(of));
        Deviation own = Objects.requireNonNull(deviation(of), "it leaves");
        return List.of(against(changed(own, of, HangKind.OTHER_OPERATION), leaving, missed, of));
    }

    /** Operations that everybody who left a dump has called. */
    private List<HangVerdict> undumped() {
        TreeSet<Integer> ranks = new TreeSet<>();
        Operation first = null;
        for (Operation one : waits.operations()) {
            if (one.isComplete() && !one.undumped.isEmpty()) {
                ranks.addAll(one.undumped);
                first = first == null || since(one) < since(first) ? one : first;
            }
        }
        if (first == null) {
            return List.of();
        }
        int waiting = first.waiting.getFirst();
        return List.of(new HangVerdict(
                HangKind.NO_DUMP,
                new ArrayList<>(ranks),
                List.of(),
                first.group,
                first.sequence,
                first.message,
                made(waiting, first.calls.getFirst()),
                null,
                List.of(),
                ranks(first.waiting)));
    }

    private @Nullable Deviation deviation(int d) {
        List<Deviation> known = deviations.computeIfAbsent(d, k -> {
            Deviation one = History.deviation(job.dumps().get(d));
            return one == null ? List.of() : List.of(one);
        });
        return known.isEmpty() ? null : known.getFirst();
    }

    /** The call of a member in an operation; that in which it waits where it made none there. */
    private int callOf(Operation one, int d) {
        RankDump dump = job.dumps().get(d);
        if (!one.message) {
            int slot = one.group.slot(dump.rank());
            int call = slot < 0 ? -1 : dump.find(one.group.local(slot), one.sequence);
            if (call >= 0) {
                return call;
            }
        }
        return Math.max(0, waits.head(d));
    }

    private HangVerdict.Made made(int d, int call) {
        RankDump dump = job.dumps().get(d);
        Group group = job.groups().get(job.groupOf(d, dump.group(call)));
        return new HangVerdict.Made(dump.rank(), dump.call(call).words(), dump.stack(call), group.words());
    }

    private List<Integer> ranks(Collection<Integer> dumps) {
        return dumps.stream()
                .map(d -> job.dumps().get(d).rank())
                .distinct()
                .sorted()
                .toList();
    }
}
