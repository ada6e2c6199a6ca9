// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.model.Trace;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.replay.plan.KinetoPlan.KinetoCalls;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * Which calls of an execution trace and of a Kineto trace of the same run are the same. Calls are the same if their names
 * and the profiler's numbers of them are. Where numbers do not fit, because each recording counted for itself, the names
 * of a thread are sought as a run of names of a thread of the Kineto trace. The first such run is taken for the recorded
 * one; those that follow are its repetitions.
 */
final class JoinedCalls {
    /** Numbers that lead to other names more often than this do not fit. */
    private static final double WRONG_ALLOWED = 0.1;

    private final KinetoCalls calls;
    private final int[] callOf;

    /** By call of the Kineto trace: the node, also in repetitions; -1 for none. */
    private final int[] nodeOf;

    JoinedCalls(List<Node> nodes, Trace trace, KinetoCalls calls) {
        this.calls = calls;
        callOf = new int[nodes.size()];
        nodeOf = new int[calls.size()];
        Arrays.fill(callOf, -1);
        Arrays.fill(nodeOf, -1);
        if (joinByNumber(nodes, calls::recordFunction) || joinByNumber(nodes, calls::externalId)) {
            for (int node = 0; node < callOf.length; node++) {
                if (callOf[node] >= 0) {
                    nodeOf[callOf[node]] = node;
                }
            }
        } else {
            joinByOrder(nodes, trace);
        }
    }

    /** The call that the node is, or -1. */
    int callOf(int node) {
        return callOf[node];
    }

    /** The node that the call is or repeats, or -1. */
    int nodeOf(int call) {
        return nodeOf[call];
    }

    /** Number of nodes that were found. */
    long joined() {
        return Arrays.stream(callOf).filter(call -> call >= 0).count();
    }

    /** Joins by the number of the record function, which is the External id in traces that say no more. */
    private boolean joinByNumber(List<Node> nodes, IntToLongFunction numberOf) {
        LongIntMap byNumber = new LongIntMap(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            long number = numberOf.applyAsLong(i);
            if (number > 0) {
                byNumber.put(number, i);
            }
        }
        int right = 0;
        int wrong = 0;
        for (int node = 0; node < callOf.length; node++) {
            long number = nodes.get(node).recordFunction();
            int call = number > 0 ? byNumber.get(number) : -1;
            if (call >= 0 && calls.name(call).equals(nodes.get(node).name())) {
                callOf[node] = call;
                right++;
            } else if (call >= 0) {
                wrong++;
            }
        }
        if (right == 0 || wrong > WRONG_ALLOWED * (right + wrong)) {
            Arrays.fill(callOf, -1);
            return false;
        }
        return true;
    }

    private void joinByOrder(List<Node> nodes, Trace trace) {
        Map<Long, IntList> threads = new TreeMap<>();
        for (int node = 0; node < callOf.length; node++) {
            if (nodes.get(node).name().contains("::")) {
                threads.computeIfAbsent(nodes.get(node).thread(), t -> new IntList(64))
                        .add(node);
            }
        }
        Map<Integer, IntList> tracks = new TreeMap<>();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.name(i).contains("::")) {
                tracks.computeIfAbsent(trace.slices().track(calls.slice(i)), t -> new IntList(64))
                        .add(i);
            }
        }
        Map<String, Integer> numbers = new HashMap<>();
        for (IntList thread : threads.values()) {
            int[] sought = new int[thread.size()];
            for (int i = 0; i < sought.length; i++) {
                sought[i] = number(numbers, nodes.get(thread.get(i)).name());
            }
            for (IntList track : tracks.values()) {
                int[] text = new int[track.size()];
                for (int i = 0; i < text.length; i++) {
                    text[i] = number(numbers, calls.name(track.get(i)));
                }
                if (align(thread, sought, track, text)) {
                    break;
                }
            }
        }
    }

    private static int number(Map<String, Integer> numbers, String name) {
        int next = numbers.size();
        return numbers.computeIfAbsent(name, n -> next);
    }

    private boolean align(IntList thread, int[] sought, IntList track, int[] text) {
        int[] found = occurrences(sought, text);
        for (int from : found) {
            for (int i = 0; i < sought.length; i++) {
                int call = track.get(from + i);
                int node = thread.get(i);
                nodeOf[call] = node;
                if (from == found[0]) {
                    callOf[node] = call;
                }
            }
        }
        return found.length > 0;
    }

    /** Where a sequence begins in another, places that overlap an earlier one left out; by Knuth, Morris and Pratt. */
    static int[] occurrences(int[] sought, int[] text) {
        IntList found = new IntList(4);
        int[] back = new int[sought.length + 1];
        int known = 0;
        for (int i = 1; i < sought.length; i++) {
            while (known > 0 && sought[i] != sought[known]) {
                known = back[known];
            }
            known += sought[i] == sought[known] ? 1 : 0;
            back[i + 1] = known;
        }
        int equal = 0;
        for (int i = 0; i < text.length && sought.length > 0; i++) {
            while (equal > 0 && text[i] != sought[equal]) {
                equal = back[equal];
            }
            equal += text[i] == sought[equal] ? 1 : 0;
            if (equal == sought.length) {
                found.add(i + 1 - equal);
                equal = 0;
            }
        }
        return found.toArray();
    }
}
