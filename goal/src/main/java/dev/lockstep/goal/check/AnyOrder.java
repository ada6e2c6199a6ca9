// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.check.SharedChannels.Channel;
import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proof that everything ends in whatever order the messages of a channel meet, with rendezvous or without.
 *
 * <p>A receive is sure to end when as many messages are sure to be sent on its channel as receives may wait there together with
 * it, and a send with rendezvous when as many receives are sure to be posted: then none of them can go without. What is not
 * sure to end may still do so.
 */
final class AnyOrder {
    private static final byte STARTED = 1;
    private static final byte ENDED = 2;

    /** One side of a channel. */
    private static final class Side {
        private final int rank;

        /** Its operations, those that need least of the other side first. */
        private final int[] members;

        private final long[] needs;
        private int begun;
        private int next;

        private Side(int rank, int[] operations, int[] needs) {
            this.rank = rank;
            members = operations.clone();
            this.needs = new long[needs.length];
            for (int i = 0; i < needs.length; i++) {
                this.needs[i] = needs[i];
            }
            LongOrder.sort(this.needs, members);
        }
    }

    private final List<Operations> ranks;
    private final MessagePairing pairing;
    private final SharedChannels shared;
    private final List<Side> sends = new ArrayList<>();
    private final List<Side> receives = new ArrayList<>();
    private final int[][] needs;
    private final int[][] waits;
    private final byte[][] state;
    private final LongList ready = new LongList(1 << 12);
    private long ended;

    private AnyOrder(List<Operations> ranks, MessagePairing pairing, SharedChannels shared) {
        this.ranks = ranks;
        this.pairing = pairing;
        this.shared = shared;
        needs = new int[ranks.size()][];
        waits = new int[ranks.size()][];
        state = new byte[ranks.size()][];
        Competition[] competitions = new Competition[ranks.size()];
        for (int i = 0; i < shared.size(); i++) {
            Channel channel = shared.get(i);
            sends.add(side(channel.from(), channel.sends(), competitions));
            receives.add(side(channel.to(), channel.receives(), competitions));
        }
        for (int rank = 0; rank < waits.length; rank++) {
            waits[rank] = ranks.get(rank).waitsFor();
            state[rank] = new byte[waits[rank].length];
        }
    }

    private Side side(int rank, int[] members, Competition[] competitions) {
        if (competitions[rank] == null) {
            competitions[rank] = new Competition(ranks.get(rank), shared.members(rank));
            needs[rank] = new int[ranks.get(rank).size()];
        }
        int[] own = competitions[rank].of(members);
        for (int i = 0; i < own.length; i++) {
            needs[rank][members[i]] = own[i];
        }
        return new Side(rank, members, own);
    }

    /** Looks for what is sure to end. */
    static AnyOrder of(List<Operations> ranks, MessagePairing pairing, SharedChannels shared) {
        AnyOrder proof = new AnyOrder(ranks, pairing, shared);
        for (int rank = 0; rank < ranks.size(); rank++) {
            proof.begin(rank);
        }
        return proof;
    }

    /** Whether everything is sure to end. */
    boolean isProven() {
        return ended == ranks.stream().mapToLong(Operations::size).sum();
    }

    /** The first message that is sure to begin, and not sure to end. There is one where there is no proof. */
    @Nullable
    Place open() {
        for (int rank = 0; rank < state.length; rank++) {
            for (int i = 0; i < state[rank].length; i++) {
                if (state[rank][i] == STARTED && shared.of(rank, i) >= 0) {
                    return new Place(rank, i);
                }
            }
        }
        return null;
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
        if (operations.kind(operation) == Operations.CALC) {
            end(rank, operation);
            return;
        }
        int channel = shared.of(rank, operation);
        if (channel >= 0) {
            boolean send = operations.kind(operation) == Operations.SEND;
            Side own = (send ? sends : receives).get(channel);
            Side other = (send ? receives : sends).get(channel);
            own.begun++;
            if (needs[rank][operation] <= other.begun) {
                end(rank, operation);
            }
            endThose(other, own.begun);
            return;
        }
        int peer = operations.peer(operation);
        int partner = pairing.partner(rank, operation);
        if (state[peer][partner] == STARTED) {
            end(peer, partner);
            end(rank, operation);
        }
    }

    /** Ends those of a side that need no more than these of the other side; those that have not begun yet will end then. */
    private void endThose(Side side, int others) {
        while (side.next < side.members.length && side.needs[side.next] <= others) {
            int member = side.members[side.next++];
            if (state[side.rank][member] == STARTED) {
                end(side.rank, member);
            }
        }
    }

    private void end(int rank, int operation) {
        state[rank][operation] = ENDED;
        ended++;
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
}
