// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For messages of one rank that share a channel: how many of them may wait there as long as one of them waits. Those that wait
 * for its end do not. An operation that begins only when another one has ended is told by the dependencies of the rank alone.
 *
 * <p>Operations in question are put into chains, in which each begins after the end of the one before; every operation knows
 * how far into each chain it stands. There are few chains, as many as messages that do not wait for each other. Those beyond
 * {@value #MOST_CHAINS} count as if they waited for nobody.
 */
final class Competition {
    private static final int MOST_CHAINS = 64;
    private static final int[] NOWHERE = {};

    private final Operations operations;
    private final int[] chainOf;
    private final int[] placeOf;
    private final int[] @Nullable [] reached;
    private final IntList lengths = new IntList(4);

    /** @param shared which operations share their channel with others of this rank */
    Competition(Operations operations, boolean[] shared) {
        this.operations = operations;
        int n = operations.size();
        chainOf = new int[n];
        placeOf = new int[n];
        reached = new int[n][];
        Arrays.fill(chainOf, -1);
        walk(shared);
    }

    /** In an order in which everything comes after what it waits for. */
    private void walk(boolean[] shared) {
        int[] waits = operations.waitsFor();
        int[][] rows = new int[waits.length][];
        IntList ready = new IntList(1024);
        for (int i = 0; i < waits.length; i++) {
            if (waits[i] == 0) {
                ready.add(i);
            }
        }
        while (ready.size() > 0) {
            int operation = ready.removeLast();
            int[] row = rows[operation] == null ? NOWHERE : rows[operation];
            rows[operation] = null;
            if (shared[operation]) {
                reached[operation] = row;
                join(operation, row);
            }
            pass(operations.afterStart(), operation, row, 0, rows, waits, ready);
            pass(operations.afterEnd(), operation, row, 1, rows, waits, ready);
        }
    }

    /** Puts an operation behind the last of a chain that has ended before, or into a new chain. */
    private void join(int operation, int[] row) {
        for (int chain = 0; chain < row.length; chain++) {
            if (endedIn(row, chain) == lengths.get(chain) - 1) {
                add(operation, chain);
                return;
            }
        }
        if (lengths.size() < MOST_CHAINS) {
            lengths.add(0);
            add(operation, lengths.size() - 1);
        }
    }

    private void add(int operation, int chain) {
        chainOf[operation] = chain;
        placeOf[operation] = lengths.get(chain);
        lengths.set(chain, lengths.get(chain) + 1);
    }

    /** Has those that wait for a start (0) or an end (1) know what the operation knows, and the operation itself. */
    private void pass(
            Dependents dependents, int operation, int[] row, int end, int[][] rows, int[] waits, IntList ready) {
        int to = dependents.to(operation);
        for (int i = dependents.from(operation); i < to; i++) {
            int waiting = dependents.target(i);
            int chain = chainOf[operation];
            if (row.length > 0 || chain >= 0) {
                rows[waiting] = merged(rows[waiting], row, chain, 2 * (placeOf[operation] + 1) + end - 1);
            }
            if (--waits[waiting] == 0) {
                ready.add(waiting);
            }
        }
    }

    /**
     * A row says for each chain how far it is known to have come: 2 p + 1 where the p-th of it, from 0, has begun, 2 p + 2
     * where it has ended, 0 for nothing.
     */
    private static int[] merged(int @Nullable [] known, int[] row, int chain, int own) {
        int length = Math.max(row.length, chain + 1);
        int[] to = known == null ? new int[length] : known.length < length ? Arrays.copyOf(known, length) : known;
        for (int i = 0; i < row.length; i++) {
            to[i] = Math.max(to[i], row[i]);
        }
        if (chain >= 0) {
            to[chain] = Math.max(to[chain], own);
        }
        return to;
    }

    /** The place of the last in a chain that has ended, -1 for none: where one has begun, the one before has ended. */
    private static int endedIn(int[] row, int chain) {
        return chain < row.length ? row[chain] / 2 - 1 : -1;
    }

    /** For each of these operations, which share a channel: how many of them may wait there together with it, itself counted. */
    int[] of(int[] members) {
        int[] needs = new int[members.length];
        Arrays.fill(needs, members.length);
        for (List<Integer> chain : chains(members)) {
            int[] places = chain.stream().mapToInt(m -> placeOf[members[m]]).toArray();
            int[] behind = new int[places.length + 1];
            for (int member : members) {
                int[] row = reached[member];
                int ended = row == null ? -1 : endedIn(row, chainOf[members[chain.getFirst()]]);
                int at = Arrays.binarySearch(places, ended);
                behind[at >= 0 ? at + 1 : -at - 1]++;
            }
            int after = 0;
            for (int i = places.length; i > 0; i--) {
                after += behind[i];
                needs[chain.get(i - 1)] -= after;
            }
        }
        return needs;
    }

    /** The members of each chain, by their places in it. */
    private List<List<Integer>> chains(int[] members) {
        List<List<Integer>> chains = new ArrayList<>();
        for (int chain = 0; chain < lengths.size(); chain++) {
            chains.add(new ArrayList<>());
        }
        for (int m = 0; m < members.length; m++) {
            if (chainOf[members[m]] >= 0) {
                chains.get(chainOf[members[m]]).add(m);
            }
        }
        chains.removeIf(List::isEmpty);
        chains.forEach(chain -> chain.sort((a, b) -> Integer.compare(placeOf[members[a]], placeOf[members[b]])));
        return chains;
    }
}
