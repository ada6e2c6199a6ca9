// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether everything can end when nothing takes time. Messages are paired beforehand. With rendezvous a send ends
 * together with its receive; otherwise it ends at once.
 */
final class Completion {
    private static final byte STARTED = 1;
    private static final byte FINISHED = 2;

    private final List<Operations> ranks;
    private final MessagePairing pairing;
    private final boolean rendezvous;
    private final int[][] waits;
    private final byte[][] state;
    private final LongList ready = new LongList(1 << 12);
    private long finished;

    private Completion(List<Operations> ranks, MessagePairing pairing, boolean rendezvous) {
        this.ranks = ranks;
        this.pairing = pairing;
        this.rendezvous = rendezvous;
        waits = new int[ranks.size()][];
        state = new byte[ranks.size()][];
        for (int rank = 0; rank < waits.length; rank++) {
            waits[rank] = ranks.get(rank).waitsFor();
            state[rank] = new byte[waits[rank].length];
        }
    }

    /** Lets a schedule run. */
    static Completion of(List<Operations> ranks, MessagePairing pairing, boolean rendezvous) {
        Completion completion = new Completion(ranks, pairing, rendezvous);
        for (int rank = 0; rank < ranks.size(); rank++) {
            completion.begin(rank);
        }
        return completion;
    }

    /** How many operations never end. */
    long stuck() {
        return ranks.stream().mapToLong(Operations::size).sum() - finished;
    }

    private void begin(int rank) {
        int[] counts = waits[rank];
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == 0 && state[rank][i] == 0) {
                ready.add((long) rank << 32 | i);
                drain();
            }
        }
    }

    private void drain() {
        while (ready.size() > 0) {
            long next = ready.removeLast();
            start((int) (next >> 32), (int) next);
        }
    }

    private void start(int rank, int operation) {
        Operations operations = ranks.get(rank);
        state[rank][operation] = STARTED;
        release(rank, operations.afterStart(), operation);
        byte kind = operations.kind(operation);
        if (kind == Operations.CALC) {
            finish(rank, operation);
            return;
        }
        boolean send = kind == Operations.SEND;
        if (send && !rendezvous) {
            finish(rank, operation);
        }
        int peer = operations.peer(operation);
        int partner = pairing.partner(rank, operation);
        if (partner < 0 || state[peer][partner] == 0) {
            return;
        }
        if (send) {
            finish(peer, partner);
        }
        if (!send || rendezvous) {
            finish(rank, operation);
        }
        if (!send && rendezvous) {
            finish(peer, partner);
        }
    }

    private void finish(int rank, int operation) {
        state[rank][operation] = FINISHED;
        finished++;
        release(rank, ranks.get(rank).afterEnd(), operation);
    }

    private void release(int rank, Dependents dependents, int operation) {
        int to = dependents.to(operation);
        int[] counts = waits[rank];
        for (int i = dependents.from(operation); i < to; i++) {
            int waiting = dependents.target(i);
            if (--counts[waiting] == 0) {
                ready.add((long) rank << 32 | waiting);
            }
        }
    }

    /** Operations of which each waits for the next and the last for the first; only for what is stuck. */
    List<Place> circle() {
        int[][] awaited = new int[ranks.size()][];
        Place first = null;
        for (int rank = 0; rank < awaited.length; rank++) {
            awaited[rank] = awaited(rank);
            for (int i = 0; first == null && i < state[rank].length; i++) {
                first = state[rank][i] == FINISHED ? null : new Place(rank, i);
            }
        }
        List<Place> way = new ArrayList<>();
        Map<Place, Integer> seen = new HashMap<>();
        Place at = first;
        while (at != null && !seen.containsKey(at)) {
            seen.put(at, way.size());
            way.add(at);
            at = awaitedBy(at, awaited);
        }
        return at == null ? way : way.subList(seen.getOrDefault(at, 0), way.size());
    }

    private @Nullable Place awaitedBy(Place place, int[][] awaited) {
        int rank = place.rank();
        int operation = place.operation();
        if (state[rank][operation] == STARTED) {
            int partner = pairing.partner(rank, operation);
            return partner < 0 ? null : new Place(ranks.get(rank).peer(operation), partner);
        }
        return awaited[rank][operation] < 0 ? null : new Place(rank, awaited[rank][operation]);
    }

    private int[] awaited(int rank) {
        int[] awaited = new int[state[rank].length];
        Arrays.fill(awaited, -1);
        Operations operations = ranks.get(rank);
        for (int i = 0; i < awaited.length; i++) {
            if (state[rank][i] != FINISHED) {
                note(operations.afterEnd(), i, awaited);
            }
            if (state[rank][i] == 0) {
                note(operations.afterStart(), i, awaited);
            }
        }
        return awaited;
    }

    private static void note(Dependents dependents, int operation, int[] awaited) {
        for (int i = dependents.from(operation); i < dependents.to(operation); i++) {
            awaited[dependents.target(i)] = operation;
        }
    }
}
