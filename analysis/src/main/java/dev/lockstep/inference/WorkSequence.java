// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pieces of work in an order, by what {@link WorkNames} says of each.
 *
 * @param names number of the name, or {@link GraphAlignment#COPY}, {@link GraphAlignment#FILL}, {@link GraphAlignment#UNKNOWN}
 * @param stems number of the stem
 * @param families number of the family; of unknown work that of the operator around it
 */
@SuppressWarnings("ArrayRecordComponent") // compared by contents, below
record WorkSequence(int[] names, int[] stems, int[] families) {
    private static final int FIRST_STEM = -1_000;

    /** More than any cost: they cannot be the same work. */
    static final int NEVER = 1 << 20;
    /** The same name. */
    static final int SAME = 0;
    /** The same stem, or a call of which the kernel was not recorded. */
    static final int LIKELY = 1;
    /** The same family. */
    static final int CHOSEN_ANEW = 2;

    int size() {
        return names.length;
    }

    /** Whether the kernels of all but few are known. */
    boolean isNamed() {
        long unnamed = Arrays.stream(names)
                .filter(name -> name == GraphAlignment.UNKNOWN)
                .count();
        return 10 * unnamed <= size();
    }

    /** What it costs to believe that the call at a place of this sequence enqueued the activity at a place of another. */
    int cost(int place, WorkSequence activities, int other) {
        int name = names[place];
        int found = activities.names[other];
        if (name == found) {
            return SAME;
        }
        if (name == GraphAlignment.COPY
                || name == GraphAlignment.FILL
                || found == GraphAlignment.COPY
                || found == GraphAlignment.FILL) {
            return NEVER;
        }
        int family = families[place];
        int foundFamily = activities.families[other];
        if (name == GraphAlignment.UNKNOWN) {
            boolean contradicts = family != WorkNames.NONE && foundFamily != WorkNames.NONE && family != foundFamily;
            return contradicts ? NEVER : LIKELY;
        }
        if (stems[place] == activities.stems[other]) {
            return LIKELY;
        }
        return family != WorkNames.NONE && family == foundFamily ? CHOSEN_ANEW : NEVER;
    }

    /**
     * The same work, by stems alone where another sequence has names of a stem that this one lacks: then the numbers in
     * these names were given anew, and where one is the same it says nothing.
     */
    WorkSequence withoutNumbersOf(Set<Integer> stemsOfOtherNames) {
        int[] plain = names.clone();
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] >= 0 && stemsOfOtherNames.contains(stems[i])) {
                plain[i] = FIRST_STEM - stems[i];
            }
        }
        return new WorkSequence(plain, stems, families);
    }

    /** The stems of names that another sequence does not have. */
    Set<Integer> stemsOfNamesMissingIn(WorkSequence other) {
        Set<Integer> known = Arrays.stream(other.names).boxed().collect(Collectors.toSet());
        return IntStream.range(0, size())
                .filter(i -> names[i] >= 0 && !known.contains(names[i]))
                .mapToObj(i -> stems[i])
                .collect(Collectors.toSet());
    }

    /** How many pieces of this sequence or of the other have no counterpart there, wherever it stands. */
    int unlike(WorkSequence activities) {
        Set<Integer> renumbered = activities.stemsOfNamesMissingIn(this);
        WorkSequence own = withoutNumbersOf(renumbered);
        WorkSequence other = activities.withoutNumbersOf(renumbered);
        Map<Integer, Integer> left = new HashMap<>();
        for (int name : own.names) {
            left.merge(name, 1, Integer::sum);
        }
        Map<Integer, Integer> familiesLeft = new HashMap<>();
        int without = 0;
        for (int i = 0; i < other.size(); i++) {
            boolean taken = take(left, other.names[i]);
            without += taken ? 0 : 1;
            if (!taken && other.names[i] != GraphAlignment.COPY && other.names[i] != GraphAlignment.FILL) {
                familiesLeft.merge(other.families[i], 1, Integer::sum);
            }
        }
        int superfluous = own.size() - (other.size() - without);
        for (int i = 0; i < own.size(); i++) { // what is left of this one does for what is left of the other
            int family = own.families[i];
            boolean unnamed = own.names[i] == GraphAlignment.UNKNOWN;
            boolean does = left.getOrDefault(own.names[i], 0) > 0 && family != WorkNames.NONE;
            if (does && (take(familiesLeft, family) || unnamed && take(familiesLeft, WorkNames.NONE))) {
                take(left, own.names[i]);
                without--;
                superfluous--;
            }
        }
        int open = familiesLeft.values().stream().mapToInt(count -> count).sum();
        int ofAnything = Math.min(open, left.getOrDefault(GraphAlignment.UNKNOWN, 0));
        without -= ofAnything;
        superfluous -= ofAnything;
        return without + superfluous;
    }

    private static boolean take(Map<Integer, Integer> counts, int key) {
        int count = counts.getOrDefault(key, 0);
        if (count > 0) {
            counts.put(key, count - 1);
        }
        return count > 0;
    }

    /** The pieces at these places. */
    WorkSequence at(int[] places) {
        return new WorkSequence(pick(names, places), pick(stems, places), pick(families, places));
    }

    private static int[] pick(int[] values, int[] places) {
        int[] picked = new int[places.length];
        for (int i = 0; i < places.length; i++) {
            picked[i] = values[places[i]];
        }
        return picked;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WorkSequence work
                && Arrays.equals(names, work.names)
                && Arrays.equals(families, work.families);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(names);
    }
}
