// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.compare.TraceDifference.IdleRow;
import dev.lockstep.analyze.compare.TraceDifference.KernelRow;
import dev.lockstep.analyze.compare.TraceDifference.OpRow;
import dev.lockstep.analyze.compare.TraceDifference.PairRow;
import dev.lockstep.analyze.compare.TraceDifference.Totals;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds up attributed activity: by cause, by operator, by kernel, by pair of operators. */
final class Sums {
    private static final Comparator<String> NULLS_LAST = Comparator.nullsLast(Comparator.naturalOrder());

    private static final Comparator<PairRow> LARGEST_FIRST = Comparator.comparingLong(
                    (PairRow r) -> Math.abs(r.differenceNs()))
            .reversed()
            .thenComparing(PairRow::op)
            .thenComparing(PairRow::baselineDims, NULLS_LAST)
            .thenComparing(PairRow::candidateDims, NULLS_LAST)
            .thenComparing(r -> String.join("\n", r.baselineKernels()))
            .thenComparingLong(PairRow::baselineNs);

    /** A row with the signatures of its operators. */
    private record SignedRow(PairRow row, long signatures) {}

    private record Subject(Cause cause, @Nullable String name) {}

    private record Filling(
            IdleCause cause,
            @Nullable String name,
            @Nullable String frame) {}

    /** What the two sides have of something; index 0 is the baseline. */
    private static final class Both {
        private final long[] ns = new long[2];
        private final int[] count = new int[2];
        private int matched;

        private void add(int side, long time) {
            add(side, time, 1);
        }

        private void add(int side, long time, long times) {
            ns[side] += time;
            count[side] += Math.toIntExact(times);
        }
    }

    /** Pairs of operators that share a row. */
    private static final class Pairs {
        private final int node1;
        private final int node2;
        private int count;
        private long ns1;
        private long ns2;

        private Pairs(int node1, int node2) {
            this.node1 = node1;
            this.node2 = node2;
        }
    }

    private final OpForest one;
    private final OpForest two;
    private final OpAlignment alignment;
    private final Attribution attribution;
    private final SharedNames names;
    private final MatchedTraces traces;
    private final Map<Subject, Both> causes = new HashMap<>();
    private final Map<String, Both> kernels = new HashMap<>();
    private final Map<Filling, Both> fillings = new HashMap<>();

    Sums(MatchedTraces traces) {
        this.traces = traces;
        this.one = traces.one();
        this.two = traces.two();
        this.alignment = traces.alignment();
        this.attribution = traces.attribution();
        this.names = traces.names();
    }

    TraceDifference.Result result(HostPace pace) {
        Totals baseline = side(one, 0);
        Totals candidate = side(two, 1);
        Both overlap = causes.computeIfAbsent(new Subject(Cause.OVERLAP, null), s -> new Both());
        overlap.ns[0] = baseline.overlap();
        overlap.ns[1] = candidate.overlap();
        long[] inside1 = timeByContext(one, false);
        long[] inside2 = timeByContext(two, true);
        List<SignedRow> pairs = pairRows(inside1, inside2);
        return new TraceDifference.Result(
                baseline,
                candidate,
                causeRows(),
                idleRows(),
                opRows(),
                kernelRows(),
                pairs.stream().map(SignedRow::row).toList(),
                pace,
                new Counterparts(
                        traces,
                        inside1,
                        inside2,
                        pairs.stream().mapToLong(SignedRow::signatures).toArray()));
    }

    /** Adds all activity and all gaps of a side. */
    private Totals side(OpForest forest, int side) {
        Trace trace = forest.trace();
        Slices slices = trace.slices();
        long work = 0;
        for (int i = 0; i < forest.activity().size(); i++) {
            int device = forest.activity().slice(i);
            @Nullable String subject = attribution.subject(side == 1, device);
            causes.computeIfAbsent(new Subject(attribution.cause(side == 1, device), subject), s -> new Both())
                    .add(side, slices.dur(device));
            kernels.computeIfAbsent(trace.name(device), n -> new Both()).add(side, slices.dur(device));
            work += slices.dur(device);
        }
        IdleAccount account = traces.idle(side);
        long idle = account.time(Where.BETWEEN);
        idle(account, side);
        return new Totals(work, work - (account.gaps().span() - idle), idle);
    }

    /** Adds what filled the gaps of a side. */
    private void idle(IdleAccount account, int side) {
        for (IdleAccount.Sum sum : account.sums()) {
            if (sum.where() == Where.BETWEEN) {
                causes.computeIfAbsent(new Subject(Cause.IDLE, sum.cause().id()), s -> new Both())
                        .add(side, sum.time(), sum.gaps());
            }
        }
        for (IdleAccount.Row row : account.rows()) {
            if (row.where() == Where.BETWEEN) {
                String name = row.cause().isLaunched() ? null : row.name();
                fillings.computeIfAbsent(new Filling(row.cause(), name, row.frame()), f -> new Both())
                        .add(side, row.time(), row.gaps());
            }
        }
    }

    private List<IdleRow> idleRows() {
        List<IdleRow> rows = new ArrayList<>();
        Map<String, Integer> calls1 = calls(one.trace());
        Map<String, Integer> calls2 = calls(two.trace());
        fillings.forEach((filling, both) -> rows.add(new IdleRow(
                filling.cause,
                filling.name,
                filling.frame,
                both.ns[0],
                both.ns[1],
                filling.name == null ? 0 : calls1.getOrDefault(filling.name, 0),
                filling.name == null ? 0 : calls2.getOrDefault(filling.name, 0),
                both.count[0],
                both.count[1])));
        rows.sort(Comparator.comparingLong((IdleRow r) -> Math.abs(r.differenceNs()))
                .reversed()
                .thenComparing(IdleRow::cause)
                .thenComparing(IdleRow::name, NULLS_LAST)
                .thenComparing(IdleRow::frame, NULLS_LAST));
        return rows;
    }

    private List<CauseRow> causeRows() {
        List<CauseRow> rows = new ArrayList<>();
        causes.forEach((subject, both) -> rows.add(
                new CauseRow(subject.cause, subject.name, both.ns[0], both.ns[1], both.count[0], both.count[1])));
        rows.removeIf(row -> !row.isDifferent());
        rows.sort(TraceDifference.BY_SIZE);
        return rows;
    }

    /** How often the host did what has these names. */
    private static Map<String, Integer> calls(Trace trace) {
        int[] counts = new int[trace.strings().size()];
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            counts[slices.name(i)] += slices.kind(i).isHost() ? 1 : 0;
        }
        Map<String, Integer> calls = new HashMap<>();
        for (int text = 0; text < counts.length; text++) {
            if (counts[text] > 0) {
                calls.put(trace.strings().get(text), counts[text]);
            }
        }
        return calls;
    }

    private List<OpRow> opRows() {
        Map<@Nullable String, Both> byOp = new HashMap<>();
        opTimes(one, 0, byOp);
        opTimes(two, 1, byOp);
        List<OpRow> rows = new ArrayList<>();
        byOp.forEach((op, both) ->
                rows.add(new OpRow(op, both.count[0], both.count[1], both.matched, both.ns[0], both.ns[1])));
        rows.sort(Comparator.comparingLong((OpRow r) -> Math.abs(r.differenceNs()))
                .reversed()
                .thenComparing(OpRow::op, NULLS_LAST));
        return rows;
    }

    private void opTimes(OpForest forest, int side, Map<@Nullable String, Both> byOp) {
        boolean[] counted = new boolean[forest.size()];
        for (int device : forest.launched()) {
            int node = forest.launcher(device);
            Both both = byOp.computeIfAbsent(node < 0 ? null : names.name(forest.name(node)), n -> new Both());
            both.ns[side] += forest.trace().slices().dur(device);
            if (node >= 0 && !counted[node]) {
                counted[node] = true;
                both.count[side]++;
                both.matched += side == 1 && alignment.ofCandidate(node) >= 0 ? 1 : 0;
            }
        }
    }

    private List<KernelRow> kernelRows() {
        List<KernelRow> rows = new ArrayList<>();
        kernels.forEach(
                (name, both) -> rows.add(new KernelRow(name, both.count[0], both.count[1], both.ns[0], both.ns[1])));
        rows.sort(Comparator.comparingLong((KernelRow r) -> Math.abs(r.differenceNs()))
                .reversed()
                .thenComparing(KernelRow::name));
        return rows;
    }

    /** For each node with a counterpart, the time of the activities that are compared there. */
    private long[] timeByContext(OpForest forest, boolean candidate) {
        long[] time = new long[forest.size()];
        for (int device : forest.launched()) {
            int node = forest.launcher(device);
            int context = node < 0 ? -1 : attribution.context(candidate, node);
            if (context >= 0) {
                time[context] += forest.trace().slices().dur(device);
            }
        }
        return time;
    }

    private List<SignedRow> pairRows(long[] inside1, long[] inside2) {
        LongIntMap known = new LongIntMap(256);
        List<Pairs> groups = new ArrayList<>();
        for (int node = 0; node < one.size(); node++) {
            int other = alignment.ofBaseline(node);
            if (other < 0 || inside1[node] == 0 && inside2[other] == 0) {
                continue;
            }
            long key = DifferencePlaces.signature(one.signature(node), two.signature(other));
            int group = known.get(key);
            if (group < 0) {
                group = groups.size();
                known.put(key, group);
                groups.add(new Pairs(node, other));
            }
            Pairs pairs = groups.get(group);
            pairs.count++;
            pairs.ns1 += inside1[node];
            pairs.ns2 += inside2[other];
        }
        Map<Integer, Set<String>> kernels1 = kernelNames(one, false, groups);
        Map<Integer, Set<String>> kernels2 = kernelNames(two, true, groups);
        List<SignedRow> rows = new ArrayList<>();
        for (Pairs p : groups) {
            PairRow row = new PairRow(
                    names.name(one.name(p.node1)),
                    dims(one, p.node1),
                    dims(two, p.node2),
                    p.count,
                    p.ns1,
                    p.ns2,
                    List.copyOf(kernels1.getOrDefault(p.node1, Set.of())),
                    List.copyOf(kernels2.getOrDefault(p.node2, Set.of())));
            rows.add(new SignedRow(row, DifferencePlaces.signature(one.signature(p.node1), two.signature(p.node2))));
        }
        rows.sort(Comparator.comparing(SignedRow::row, LARGEST_FIRST));
        return rows;
    }

    /** The names of what was launched in the node that stands for each group. */
    private Map<Integer, Set<String>> kernelNames(OpForest forest, boolean candidate, List<Pairs> groups) {
        Map<Integer, Set<String>> wanted = new HashMap<>();
        for (Pairs group : groups) {
            wanted.put(candidate ? group.node2 : group.node1, new LinkedHashSet<>());
        }
        for (int device : forest.launched()) {
            int node = forest.launcher(device);
            Set<String> found = node < 0 ? null : wanted.get(attribution.context(candidate, node));
            if (found != null) {
                found.add(forest.trace().name(device));
            }
        }
        return wanted;
    }

    private static @Nullable String dims(OpForest forest, int node) {
        OpDetails details = forest.trace().view(OpDetails.KEY);
        int row = details == null ? -1 : details.of(forest.slice(node));
        return details == null || row < 0 ? null : forest.trace().strings().orNull(details.inputDims(row));
    }
}
