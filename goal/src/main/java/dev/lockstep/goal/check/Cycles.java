// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Flaws;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Operations of one rank that wait for themselves, by way of others or not. */
final class Cycles {
    private static final int NAMED = 8;

    private Cycles() {}

    /** Notes a cycle of a rank, if it has one. */
    static void find(int rank, Operations operations, Flaws flaws) {
        int[] waits = operations.waitsFor();
        int left = operations.size() - removed(operations, waits);
        if (left == 0) {
            return;
        }
        List<Integer> cycle = cycle(operations, waits);
        List<Place> named = new ArrayList<>();
        for (int i = 0; i < cycle.size() && i < NAMED; i++) {
            named.add(new Place(rank, cycle.get(i)));
        }
        int more = cycle.size() - named.size();
        String members = String.join(", ", Collections.nCopies(named.size(), "%s"));
        flaws.add(
                "rank " + rank + ": cycle of " + cycle.size() + (cycle.size() == 1 ? " operation" : " operations")
                        + ", each waiting for the next: " + members
                        + (more > 0 ? " and " + more + " more" : "") + "; " + left
                        + " operations of the rank cannot start",
                named);
    }

    /** Takes away what can run; {@code waits} tells afterwards what is left: whatever still waits. */
    private static int removed(Operations operations, int[] waits) {
        IntList ready = new IntList(1024);
        for (int i = 0; i < waits.length; i++) {
            if (waits[i] == 0) {
                ready.add(i);
            }
        }
        int removed = 0;
        while (ready.size() > 0) {
            int operation = ready.removeLast();
            removed++;
            release(operations.afterEnd(), operation, waits, ready);
            release(operations.afterStart(), operation, waits, ready);
        }
        return removed;
    }

    private static void release(Dependents dependents, int operation, int[] waits, IntList ready) {
        int to = dependents.to(operation);
        for (int i = dependents.from(operation); i < to; i++) {
            int waiting = dependents.target(i);
            if (--waits[waiting] == 0) {
                ready.add(waiting);
            }
        }
    }

    /** Whatever is left waits for something that is left; going back that way ends in a circle. */
    private static List<Integer> cycle(Operations operations, int[] waits) {
        int[] awaited = new int[waits.length];
        Arrays.fill(awaited, -1);
        int last = -1;
        for (int i = 0; i < waits.length; i++) {
            if (waits[i] > 0) {
                last = i;
                note(operations.afterEnd(), i, awaited);
                note(operations.afterStart(), i, awaited);
            }
        }
        boolean[] seen = new boolean[waits.length];
        int at = last;
        while (!seen[at]) {
            seen[at] = true;
            at = awaited[at];
        }
        List<Integer> cycle = new ArrayList<>();
        int member = at;
        do {
            cycle.add(member);
            member = awaited[member];
        } while (member != at);
        int first = cycle.indexOf(Collections.min(cycle));
        Collections.rotate(cycle, -first);
        return cycle;
    }

    private static void note(Dependents dependents, int operation, int[] awaited) {
        for (int i = dependents.from(operation); i < dependents.to(operation); i++) {
            awaited[dependents.target(i)] = operation;
        }
    }
}
