// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets the ranks of a job make their calls until nothing moves. A host runs ahead of its device by some calls; a device does calls
 * in order, but for those that nothing waits for; a collective ends when all members are in it with calls that agree.
 */
final class HangSimulation {
    static final byte NOT_CALLED = -1;
    static final byte SCHEDULED = 0;
    static final byte STARTED = 1;
    static final byte COMPLETED = 2;

    /** What does not work. */
    record Broken(int rank, int beginsNot, int endsNot, int network) {
        static final Broken NOTHING = new Broken(-1, -1, -1, -1);
    }

    private final HangProgram program;
    private final List<List<HangCall>> calls;
    private final Broken broken;
    private final int ahead;
    private final byte[][] states;
    private final int[][] sequences;
    private final int[] called;
    private final Map<List<Integer>, List<int[]>> waiting = new HashMap<>();
    private final Deque<Integer> moving = new ArrayDeque<>();

    /** @param ahead by how many calls a host may run ahead of its device, at least 1 */
    HangSimulation(HangProgram program, List<List<HangCall>> calls, Broken broken, int ahead) {
        this.program = program;
        this.calls = calls;
        this.broken = broken;
        this.ahead = ahead;
        states = new byte[calls.size()][];
        sequences = new int[calls.size()][];
        called = new int[calls.size()];
        for (int rank = 0; rank < calls.size(); rank++) {
            states[rank] = new byte[calls.get(rank).size()];
            Arrays.fill(states[rank], NOT_CALLED);
            sequences[rank] = numbered(calls.get(rank));
            moving.add(rank);
        }
    }

    /** Counts collectives by group, and messages by group, direction and peer. */
    private static int[] numbered(List<HangCall> calls) {
        Map<List<Object>, Integer> counts = new HashMap<>();
        int[] numbers = new int[calls.size()];
        for (int i = 0; i < numbers.length; i++) {
            HangCall call = calls.get(i);
            List<Object> key =
                    call.isMessage() ? List.of(call.group(), call.kind(), call.peer()) : List.of(call.group());
            numbers[i] = counts.merge(key, 1, Integer::sum);
        }
        return numbers;
    }

    /** What became of each call of each rank. */
    byte[][] run() {
        while (!moving.isEmpty()) {
            move(moving.poll());
        }
        return states;
    }

    private void move(int rank) {
        List<HangCall> own = calls.get(rank);
        while (called[rank] < own.size() && open(rank) < ahead) {
            states[rank][called[rank]++] = SCHEDULED;
            start(rank);
        }
        start(rank);
    }

    private int open(int rank) {
        int open = 0;
        for (int i = called[rank] - 1; i >= 0; i--) {
            open += states[rank][i] == COMPLETED || calls.get(rank).get(i).async() ? 0 : 1;
        }
        return open;
    }

    private void start(int rank) {
        List<HangCall> own = calls.get(rank);
        boolean blocked = false;
        List<Integer> blockedGroups = new ArrayList<>();
        for (int i = 0; i < called[rank] && !blocked; i++) {
            if (states[rank][i] == COMPLETED) {
                continue;
            }
            if (rank == broken.rank && i == broken.beginsNot) {
                return;
            }
            boolean free = !blockedGroups.contains(own.get(i).group());
            if (states[rank][i] == SCHEDULED && free) {
                states[rank][i] = STARTED;
                meet(rank, i);
            }
            if (states[rank][i] != COMPLETED) {
                blocked = !own.get(i).async();
                blockedGroups.add(own.get(i).group());
            }
        }
    }

    private void meet(int rank, int place) {
        HangCall call = calls.get(rank).get(place);
        List<Integer> key;
        int wanted;
        if (call.isMessage()) {
            int me = program.groupsOf(rank)[3] == call.group() ? number(call.group(), rank) : 0;
            boolean sends = call.kind().equals("send");
            key = List.of(call.group(), sequences[rank][place], sends ? me : call.peer(), sends ? call.peer() : me);
            wanted = 2;
        } else {
            key = List.of(call.group(), sequences[rank][place]);
            wanted = program.groups().get(call.group()).ranks().length;
        }
        List<int[]> there = waiting.computeIfAbsent(key, k -> new ArrayList<>());
        there.add(new int[] {rank, place});
        if (there.size() == wanted && ends(there)) {
            for (int[] one : there) {
                if (one[0] != broken.rank || one[1] != broken.endsNot) {
                    states[one[0]][one[1]] = COMPLETED;
                    moving.add(one[0]);
                }
            }
        }
    }

    private int number(int group, int rank) {
        int[] ranks = program.groups().get(group).ranks();
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == rank) {
                return i;
            }
        }
        return -1;
    }

    private boolean ends(List<int[]> there) {
        HangCall first = calls.get(there.getFirst()[0]).get(there.getFirst()[1]);
        for (int[] one : there) {
            HangCall call = calls.get(one[0]).get(one[1]);
            boolean agrees = first.isMessage()
                    ? first.in() == call.in() && first.type().equals(call.type())
                    : first.agrees(call);
            if (!agrees || one[0] == broken.rank && one[1] == broken.network) {
                return false;
            }
        }
        return true;
    }
}
