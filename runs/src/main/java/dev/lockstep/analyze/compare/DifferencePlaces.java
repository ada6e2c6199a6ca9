// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.compare.TraceDifference.KernelRow;
import dev.lockstep.analyze.compare.TraceDifference.OpRow;
import dev.lockstep.analyze.compare.TraceDifference.Result;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.model.Slices;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.Pair;
import dev.lockstep.report.Evidence.Place;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where in both traces the rows of the sheets lie. Operators stand against their counterparts; activities and gaps, where
 * both traces have as many, the k-th against the k-th, else the longest against the longest.
 */
final class DifferencePlaces {
    /** What a row of {@code diff_causes} is about. */
    private record Subject(Cause cause, @Nullable String name) {}

    /** Places of one row, in the order in which they are found; a missing one has a start of {@link #NOWHERE}. */
    private static final class Both {
        private final LongList[] starts = {new LongList(4), new LongList(4)};
        private final LongList[] ends = {new LongList(4), new LongList(4)};

        void add(int side, long start, long end) {
            starts[side].add(start);
            ends[side].add(end);
        }

        int count(int side) {
            return starts[side].size();
        }

        long length(int side, int place) {
            return ends[side].get(place) - starts[side].get(place);
        }
    }

    private static final long NOWHERE = Long.MAX_VALUE;

    private final MatchedTraces traces;
    private final Result result;
    private final long[] signatures;

    /** @param signatures of the two operators of each row of {@code diff_matched_ops} */
    DifferencePlaces(MatchedTraces traces, Result result, long[] signatures) {
        this.traces = traces;
        this.result = result;
        this.signatures = signatures;
    }

    /** The places of each row of a sheet. */
    List<Evidence> of(String sheet) {
        return switch (sheet) {
            case TableNames.DIFF_TOTALS -> totals();
            case TableNames.DIFF_CAUSES -> causes();
            case "diff_ops" -> ops();
            case TableNames.DIFF_MATCHED_OPS -> pairs();
            case TableNames.DIFF_KERNELS -> kernels();
            default -> List.of();
        };
    }

    /** The total time; the others are sums over it. */
    private List<Evidence> totals() {
        Both whole = new Both();
        for (int side = 0; side < 2; side++) {
            OpForest forest = traces.side(side);
            Slices slices = forest.trace().slices();
            long start = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            for (int device : forest.launched()) {
                start = Math.min(start, slices.ts(device));
                end = Math.max(end, slices.end(device));
            }
            if (start <= end) {
                whole.add(side, start, end);
            }
        }
        return List.of(paired(whole, "from the first to the last device activity"));
    }

    private List<Evidence> causes() {
        Map<Subject, Both> found = new HashMap<>();
        for (int side = 0; side < 2; side++) {
            OpForest forest = traces.side(side);
            Slices slices = forest.trace().slices();
            for (int i = 0; i < forest.activity().size(); i++) {
                int device = forest.activity().slice(i);
                @Nullable String subject = traces.attribution().subject(side == 1, device);
                found.computeIfAbsent(
                                new Subject(traces.attribution().cause(side == 1, device), subject), s -> new Both())
                        .add(side, slices.ts(device), slices.end(device));
            }
            idle(traces.idle(side), side, found);
        }
        List<Evidence> places = new ArrayList<>();
        for (CauseRow row : result.causes()) {
            Both both = found.getOrDefault(new Subject(row.cause(), row.subject()), new Both());
            places.add(paired(
                    both,
                    row.subject() == null
                            ? row.cause().meaning()
                            : (row.cause() == Cause.IDLE ? "idle: " : "") + row.subject()));
        }
        return places;
    }

    /** Gaps, for what filled most of each; for what filled most of none, the gap of which it filled most. */
    private static void idle(IdleAccount account, int side, Map<Subject, Both> found) {
        DeviceGaps gaps = account.gaps();
        for (int gap = 0; gap < gaps.size(); gap++) {
            found.computeIfAbsent(new Subject(Cause.IDLE, account.mostOf(gap).id()), s -> new Both())
                    .add(side, gaps.start(gap), gaps.end(gap));
        }
        for (IdleAccount.Sum sum : account.sums()) {
            Both both =
                    found.computeIfAbsent(new Subject(Cause.IDLE, sum.cause().id()), s -> new Both());
            if (sum.where() == Where.BETWEEN && both.count(side) == 0) {
                both.add(side, sum.start(), sum.end());
            }
        }
    }

    private List<Evidence> kernels() {
        Map<String, Both> found = new HashMap<>();
        for (int side = 0; side < 2; side++) {
            OpForest forest = traces.side(side);
            Slices slices = forest.trace().slices();
            for (int i = 0; i < forest.activity().size(); i++) {
                int device = forest.activity().slice(i);
                found.computeIfAbsent(forest.trace().name(device), n -> new Both())
                        .add(side, slices.ts(device), slices.end(device));
            }
        }
        List<Evidence> places = new ArrayList<>();
        for (KernelRow row : result.kernels()) {
            places.add(paired(found.getOrDefault(row.name(), new Both()), row.name()));
        }
        return places;
    }

    /** The work that operators of a name launched themselves; those with a counterpart stand against it. */
    private List<Evidence> ops() {
        long[][] one = spans(0, false);
        long[][] two = spans(1, false);
        Map<@Nullable String, Both> found = new HashMap<>();
        for (int node = 0; node < traces.one().size(); node++) {
            int other = traces.alignment().ofBaseline(node);
            add(found, node, other, one, two);
        }
        for (int node = 0; node < traces.two().size(); node++) {
            if (traces.alignment().ofCandidate(node) < 0) {
                add(found, -1, node, one, two);
            }
        }
        List<Evidence> places = new ArrayList<>();
        for (OpRow row : result.ops()) {
            places.add(paired(found.getOrDefault(row.op(), new Both()), String.valueOf(row.op())));
        }
        return places;
    }

    private void add(Map<@Nullable String, Both> found, int node, int other, long[][] one, long[][] two) {
        boolean first = node >= 0 && one[0][node] != NOWHERE;
        boolean second = other >= 0 && two[0][other] != NOWHERE;
        if (first || second) {
            String name = traces.names()
                    .name(first ? traces.one().name(node) : traces.two().name(other));
            Both both = found.computeIfAbsent(name, n -> new Both());
            both.add(0, first ? one[0][node] : NOWHERE, first ? one[1][node] : NOWHERE);
            both.add(1, second ? two[0][other] : NOWHERE, second ? two[1][other] : NOWHERE);
        }
    }

    private List<Evidence> pairs() {
        long[][] one = spans(0, true);
        long[][] two = spans(1, true);
        Map<Long, Both> found = new HashMap<>();
        for (long key : signatures) {
            found.put(key, new Both());
        }
        for (int node = 0; node < traces.one().size(); node++) {
            int other = traces.alignment().ofBaseline(node);
            Both both = other < 0
                    ? null
                    : found.get(
                            signature(traces.one().signature(node), traces.two().signature(other)));
            if (both != null && (one[0][node] != NOWHERE || two[0][other] != NOWHERE)) {
                both.add(0, one[0][node], one[1][node]);
                both.add(1, two[0][other], two[1][other]);
            }
        }
        List<Evidence> places = new ArrayList<>();
        for (int row = 0; row < signatures.length; row++) {
            places.add(paired(
                    found.getOrDefault(signatures[row], new Both()),
                    result.pairs().get(row).op()));
        }
        return places;
    }

    /** One number for the shapes of two operators. */
    static long signature(int baseline, int candidate) {
        return (long) baseline << Integer.SIZE | candidate;
    }

    /** From the first start to the last end of what each node launched: itself, or all that is compared there. */
    private long[][] spans(int side, boolean compared) {
        OpForest forest = traces.side(side);
        Slices slices = forest.trace().slices();
        long[] start = new long[forest.size()];
        long[] end = new long[forest.size()];
        Arrays.fill(start, NOWHERE);
        Arrays.fill(end, NOWHERE);
        for (int device : forest.launched()) {
            int by = forest.launcher(device);
            int node = by < 0 || !compared ? by : traces.attribution().context(side == 1, by);
            if (node >= 0) {
                end[node] = start[node] == NOWHERE ? slices.end(device) : Math.max(end[node], slices.end(device));
                start[node] = Math.min(start[node], slices.ts(device));
            }
        }
        return new long[][] {start, end};
    }

    private static Evidence paired(Both both, String label) {
        boolean partners = both.count(0) == both.count(1);
        int[] one = partners ? ascending(both.count(0)) : longestFirst(both, 0);
        int[] two = partners ? one : longestFirst(both, 1);
        int count = Math.max(one.length, two.length);
        int[] order = ascending(count);
        if (partners) {
            long[] change = new long[count];
            long sum = 0;
            for (int i = 0; i < count; i++) {
                change[i] = both.length(1, i) - both.length(0, i);
                sum += change[i];
            }
            for (int i = 0; i < count; i++) {
                change[i] = sum < 0 ? change[i] : -change[i];
            }
            LongOrder.sort(change, order);
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < Math.min(Evidence.MOST, count); i++) {
            pairs.add(new Pair(
                    place(both, 0, order[i] < one.length ? one[order[i]] : -1, label),
                    place(both, 1, order[i] < two.length ? two[order[i]] : -1, label)));
        }
        return new Evidence.Pairs(pairs, count);
    }

    private static @Nullable Place place(Both both, int side, int at, String label) {
        return at < 0 || both.starts[side].get(at) == NOWHERE
                ? null
                : new Place(label, both.starts[side].get(at), both.ends[side].get(at));
    }

    private static int[] ascending(int count) {
        int[] places = new int[count];
        Arrays.setAll(places, i -> i);
        return places;
    }

    private static int[] longestFirst(Both both, int side) {
        int[] places = ascending(both.count(side));
        long[] lengths = new long[places.length];
        Arrays.setAll(lengths, i -> -both.length(side, i));
        LongOrder.sort(lengths, places);
        return places;
    }
}
