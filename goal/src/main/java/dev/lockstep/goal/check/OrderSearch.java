// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.check.SharedChannels.Channel;
import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.IntList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tries the orders in which messages of shared channels can meet, until one is a deadlock or all have been tried; of large
 * schedules, as many as a budget allows. Everything begins at once; which send meets which receive is chosen whenever both are
 * there.
 */
final class OrderSearch {
    /** How many operations are copied in all. */
    private static final long BUDGET = 8_000_000;

    /** Larger schedules are not searched. */
    private static final int MOST_OPERATIONS = 100_000;

    private static final byte STARTED = 1;
    private static final byte ENDED = 2;

    /** A send whose message has met its receive, or has not, is told by this bit where it ends without. */
    private static final byte MET = 4;

    /**
     * A deadlock.
     *
     * @param send whose message meets another receive than in the order of the file; null where all meet in that order
     * @param receive that it meets
     * @param waiting operations that begin and never end
     * @param stuck how many operations never end
     */
    record Deadlock(@Nullable Place send, @Nullable Place receive, List<Place> waiting, long stuck) {}

    /** What has happened so far. */
    @SuppressWarnings("ArrayRecordComponent") // compared by its key
    private record Moment(int[] waits, byte[] state, int sent, int received) {
        private Moment copy(int send, int receive) {
            return new Moment(
                    waits.clone(), state.clone(), sent >= 0 ? sent : send, received >= 0 ? received : receive);
        }

        private String key() {
            StringBuilder key = new StringBuilder(state.length);
            for (byte one : state) {
                key.append((char) one);
            }
            return key.toString();
        }
    }

    private final List<Operations> ranks;
    private final MessagePairing pairing;
    private final SharedChannels shared;
    private final int[] first;
    private final int[] rankOf;
    private long budget = BUDGET;
    private long rendezvousFrom;

    OrderSearch(List<Operations> ranks, MessagePairing pairing, SharedChannels shared) {
        this.ranks = ranks;
        this.pairing = pairing;
        this.shared = shared;
        first = new int[ranks.size() + 1];
        for (int rank = 0; rank < ranks.size(); rank++) {
            first[rank + 1] = Math.addExact(first[rank], ranks.get(rank).size());
        }
        rankOf = new int[first[ranks.size()]];
        for (int rank = 0; rank < ranks.size(); rank++) {
            Arrays.fill(rankOf, first[rank], first[rank + 1], rank);
        }
    }

    /** Whether all orders were tried. */
    boolean isComplete() {
        return budget > 0;
    }

    /** The first deadlock, messages from so many bytes on with rendezvous; null where none was found. */
    @Nullable
    Deadlock find(long rendezvous) {
        if (rankOf.length > MOST_OPERATIONS) {
            budget = 0;
            return null;
        }
        rendezvousFrom = rendezvous;
        Set<String> seen = new HashSet<>();
        Deque<Moment> open = new ArrayDeque<>();
        open.push(beginning());
        while (!open.isEmpty()) {
            Moment moment = open.pop();
            if (!seen.add(moment.key())) {
                continue;
            }
            if (!branch(moment, open) && !isOver(moment)) {
                return deadlock(moment);
            }
            if (budget <= 0) {
                return null;
            }
        }
        return null;
    }

    private Moment beginning() {
        int[] waits = new int[rankOf.length];
        for (int rank = 0; rank < ranks.size(); rank++) {
            System.arraycopy(
                    ranks.get(rank).waitsFor(),
                    0,
                    waits,
                    first[rank],
                    ranks.get(rank).size());
        }
        Moment moment = new Moment(waits, new byte[waits.length], -1, -1);
        IntList ready = new IntList(64);
        for (int i = 0; i < waits.length; i++) {
            if (waits[i] == 0) {
                ready.add(i);
            }
        }
        run(moment, ready);
        return moment;
    }

    /** Adds every moment that may come next; whether there is any. Those are looked at first that let the latest meet. */
    private boolean branch(Moment moment, Deque<Moment> open) {
        boolean any = false;
        for (int c = 0; c < shared.size(); c++) {
            Channel channel = shared.get(c);
            for (int s = 0; s < channel.sends().length; s++) {
                int send = first[channel.from()] + channel.sends()[s];
                for (int r = 0; waits(moment, send) && r < channel.receives().length; r++) {
                    int receive = first[channel.to()] + channel.receives()[r];
                    if (waits(moment, receive) && budget > 0) {
                        budget -= moment.state.length;
                        boolean other = s != r;
                        Moment next = moment.copy(other ? send : -1, other ? receive : -1);
                        meet(next, send, receive);
                        open.push(next);
                        any = true;
                    }
                }
            }
        }
        return any;
    }

    /** Whether a message has begun and not met its partner. */
    private static boolean waits(Moment moment, int operation) {
        byte state = moment.state[operation];
        return state != 0 && (state & MET) == 0;
    }

    private static boolean isOver(Moment moment) {
        for (byte one : moment.state) {
            if ((one & ENDED) == 0) {
                return false;
            }
        }
        return true;
    }

    private void meet(Moment moment, int send, int receive) {
        IntList ready = new IntList(16);
        met(moment, send, ready);
        met(moment, receive, ready);
        run(moment, ready);
    }

    private void met(Moment moment, int operation, IntList ready) {
        moment.state[operation] |= MET;
        end(moment, operation, ready);
    }

    private void run(Moment moment, IntList ready) {
        while (ready.size() > 0) {
            int operation = ready.removeLast();
            int rank = rankOf[operation];
            Operations operations = ranks.get(rank);
            int own = operation - first[rank];
            moment.state[operation] |= STARTED;
            release(moment, operations.afterStart(), operation, ready);
            byte kind = operations.kind(own);
            if (kind == Operations.CALC || kind == Operations.SEND && operations.amount(own) < rendezvousFrom) {
                end(moment, operation, ready);
            }
            if (kind == Operations.CALC || shared.of(rank, own) >= 0) {
                continue;
            }
            int partner = first[operations.peer(own)] + pairing.partner(rank, own);
            if (moment.state[partner] != 0) {
                met(moment, operation, ready);
                met(moment, partner, ready);
            }
        }
    }

    private void end(Moment moment, int operation, IntList ready) {
        if ((moment.state[operation] & ENDED) == 0) {
            moment.state[operation] |= ENDED;
            release(moment, ranks.get(rankOf[operation]).afterEnd(), operation, ready);
        }
    }

    private void release(Moment moment, Dependents dependents, int operation, IntList ready) {
        int base = first[rankOf[operation]];
        int to = dependents.to(operation - base);
        for (int i = dependents.from(operation - base); i < to; i++) {
            int waiting = base + dependents.target(i);
            if (--moment.waits[waiting] == 0) {
                ready.add(waiting);
            }
        }
    }

    private Deadlock deadlock(Moment moment) {
        List<Place> waiting = new ArrayList<>();
        long stuck = 0;
        for (int i = 0; i < moment.state.length; i++) {
            boolean ends = (moment.state[i] & ENDED) != 0;
            stuck += ends ? 0 : 1;
            if (moment.state[i] != 0 && !ends) {
                waiting.add(place(i));
            }
        }
        boolean inOrder = moment.sent < 0;
        return new Deadlock(
                inOrder ? null : place(moment.sent), inOrder ? null : place(moment.received), waiting, stuck);
    }

    private Place place(int operation) {
        return new Place(rankOf[operation], operation - first[rankOf[operation]]);
    }
}
