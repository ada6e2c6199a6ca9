// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which captured call enqueued which activity of a replayed graph, as far as it can be told. Where the profiler notes the
 * nodes of the graph, their numbers grow in the order of the capture; without, each stream keeps that order. A call that an activity of
 * one stream certainly has is none of those that the others may have, so that streams are looked at again until nothing
 * more is found.
 *
 * @param calls for each activity the place of its call among those of the capture, or {@link ChainAlignment#UNTOLD}
 * @param same how many activities have a call of just their name, or one of which the name was not recorded
 * @param likely how many have a call of the same stem
 * @param chosenAnew how many have one of the same family only
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReplayAlignment(int[] calls, int same, int likely, int chosenAnew) {
    private static final int MOST_ROUNDS = 8;
    private static final int LONGEST_EXCHANGE = 32;
    private static final int OF_ANOTHER = -2;
    private static final long LOWER_HALF = 0xFFFF_FFFFL;

    /** The alignment; null when so little fits that they are two different graphs. */
    static @Nullable ReplayAlignment of(WorkSequence calls, ReplayedGraph replay) {
        ReplayAlignment best = null;
        List<int[]> chains = replay.chains();
        if (replay.hasNodes()) {
            best = judged(calls, replay.work(), within(calls, replay.work(), List.of(replay.byNode())));
        }
        if ((best == null || best.placed() < replay.size()) && (calls.isNamed() || chains.size() == 1)) {
            ReplayAlignment other = judged(calls, replay.work(), within(calls, replay.work(), chains));
            best = best == null || other != null && other.placed() > best.placed() ? other : best;
        }
        return best == null || 2 * best.placed() < calls.size() ? null : best;
    }

    /** The alignment by the nodes that calls became, where the profiler noted them at both ends; null otherwise. */
    static @Nullable ReplayAlignment byNodes(CaptureChoice.Candidate capture, ReplayedGraph replay) {
        Map<Long, Integer> callOf = new HashMap<>();
        for (int call = 0; call < capture.nodes().length; call++) {
            if (capture.nodes()[call] >= 0) {
                callOf.put(capture.nodes()[call], call);
            }
        }
        if (callOf.isEmpty() || !replay.hasNodes()) {
            return null;
        }
        boolean whole = Arrays.stream(replay.nodes()).anyMatch(callOf::containsKey);
        if (!whole) { // instantiating a graph changes the upper half of its nodes' numbers
            Map<Long, Integer> lower = new HashMap<>();
            callOf.forEach((node, call) -> lower.put(node & LOWER_HALF, call));
            callOf = lower;
        }
        int[] found = new int[replay.size()];
        for (int i = 0; i < found.length; i++) {
            long node = whole ? replay.nodes()[i] : replay.nodes()[i] & LOWER_HALF;
            int call = callOf.getOrDefault(node, ChainAlignment.UNTOLD);
            boolean fits = call >= 0 && capture.calls().cost(call, replay.work(), i) < WorkSequence.NEVER;
            found[i] = fits ? call : ChainAlignment.UNTOLD;
        }
        return judged(capture.calls(), replay.work(), found);
    }

    /** What the numbers say of these calls; null when so little fits that they are two different graphs. */
    static @Nullable ReplayAlignment judged(WorkSequence calls, WorkSequence work, int[] found) {
        int[] of = new int[WorkSequence.CHOSEN_ANEW + 1];
        for (int i = 0; i < found.length; i++) {
            if (found[i] != ChainAlignment.UNTOLD) {
                int cost = calls.cost(found[i], work, i);
                boolean unnamed = calls.names()[found[i]] == GraphAlignment.UNKNOWN;
                of[unnamed ? WorkSequence.SAME : Math.min(cost, WorkSequence.CHOSEN_ANEW)]++;
            }
        }
        ReplayAlignment alignment = new ReplayAlignment(found, of[0], of[1], of[2]);
        boolean isOne =
                4 * alignment.placed() >= 3 * found.length && alignment.same + alignment.likely >= alignment.chosenAnew;
        return isOne ? alignment : null;
    }

    /** How many activities have a call. */
    int placed() {
        return same + likely + chosenAnew;
    }

    /** Whether all have a call of just their name. */
    boolean isExact() {
        return same == calls.length;
    }

    private static int[] within(WorkSequence recordedCalls, WorkSequence recordedWork, List<int[]> chains) {
        Set<Integer> renumbered = recordedWork.stemsOfNamesMissingIn(recordedCalls);
        WorkSequence calls = recordedCalls.withoutNumbersOf(renumbered);
        WorkSequence work = recordedWork.withoutNumbersOf(renumbered);
        int[] found = new int[work.size()];
        int[] owners = new int[calls.size()];
        Arrays.fill(found, ChainAlignment.UNTOLD);
        Arrays.fill(owners, ChainAlignment.UNTOLD);
        if (chains.size() == 1) {
            int[] chain = chains.getFirst();
            int[] certain = ChainAlignment.align(calls, work.at(chain));
            if (certain != null) {
                settle(chain, certain, found, owners);
            }
        } else {
            boolean more = true;
            for (int round = 0; more && round < MOST_ROUNDS; round++) {
                more = round(calls, work, chains, found, owners);
            }
        }
        chains.forEach(chain -> exchanged(calls, work, chain, found, owners));
        return found;
    }

    /** Looks at each stream with what is known of all; whether more is known then. */
    private static boolean round(WorkSequence calls, WorkSequence work, List<int[]> chains, int[] found, int[] owners) {
        List<int[]> news = new ArrayList<>();
        int[] claims = new int[calls.size()];
        for (int[] chain : chains) {
            int[] certain = ChainAlignment.align(calls, work.at(chain), fixed(chain, found), taken(chain, owners));
            news.add(certain == null ? fixed(chain, found) : certain);
            for (int call : news.getLast()) {
                if (call != ChainAlignment.UNTOLD) {
                    claims[call]++;
                }
            }
        }
        boolean more = false;
        for (int c = 0; c < chains.size(); c++) {
            int[] chain = chains.get(c);
            for (int i = 0; i < chain.length; i++) {
                int call = news.get(c)[i];
                if (call != ChainAlignment.UNTOLD && claims[call] == 1 && found[chain[i]] == ChainAlignment.UNTOLD) {
                    found[chain[i]] = call;
                    owners[call] = chain[i];
                    more = true;
                }
            }
        }
        return more;
    }

    private static void settle(int[] chain, int[] certain, int[] found, int[] owners) {
        for (int i = 0; i < chain.length; i++) {
            if (certain[i] != ChainAlignment.UNTOLD) {
                found[chain[i]] = certain[i];
                owners[certain[i]] = chain[i];
            }
        }
    }

    private static int[] fixed(int[] chain, int[] found) {
        int[] fixed = new int[chain.length];
        Arrays.setAll(fixed, i -> found[chain[i]]);
        return fixed;
    }

    /** For each call its activity as a place in the chain. */
    private static int[] taken(int[] chain, int[] owners) {
        Map<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < chain.length; i++) {
            places.put(chain[i], i);
        }
        int[] taken = new int[owners.length];
        Arrays.setAll(
                taken,
                call -> owners[call] == ChainAlignment.UNTOLD
                        ? ChainAlignment.UNTOLD
                        : places.getOrDefault(owners[call], OF_ANOTHER));
        return taken;
    }

    /**
     * Between two activities whose calls are known the scheduler may have exchanged some: where few are left on both sides,
     * of the same names, those of one name keep their order.
     */
    private static void exchanged(WorkSequence calls, WorkSequence work, int[] chain, int[] found, int[] owners) {
        int from = 0;
        int firstCall = 0;
        for (int i = 0; i <= chain.length; i++) {
            int call = i == chain.length ? calls.size() : found[chain[i]];
            if (call == ChainAlignment.UNTOLD) {
                continue;
            }
            if (i > from && i - from <= LONGEST_EXCHANGE && call >= firstCall) {
                exchange(calls, work, Arrays.copyOfRange(chain, from, i), free(firstCall, call, owners), found, owners);
            }
            from = i + 1;
            firstCall = call + 1;
        }
    }

    private static int[] free(int from, int to, int[] owners) {
        return IntStream.range(from, to)
                .filter(call -> owners[call] == ChainAlignment.UNTOLD)
                .toArray();
    }

    private static void exchange(
            WorkSequence calls, WorkSequence work, int[] left, int[] free, int[] found, int[] owners) {
        int[] names = Arrays.stream(left).map(i -> work.names()[i]).sorted().toArray();
        int[] others =
                Arrays.stream(free).map(call -> calls.names()[call]).sorted().toArray();
        if (!Arrays.equals(names, others)) {
            return;
        }
        for (int activity : left) {
            for (int call : free) {
                if (owners[call] == ChainAlignment.UNTOLD && calls.names()[call] == work.names()[activity]) {
                    found[activity] = call;
                    owners[call] = activity;
                    break;
                }
            }
        }
    }
}
