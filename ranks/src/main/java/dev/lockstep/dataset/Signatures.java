// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;

/** Numbers for combinations of four small numbers, in order of first appearance. */
final class Signatures {
    private static final int EXPECTED = 256;

    private final LongIntMap names = new LongIntMap(EXPECTED);
    private final LongIntMap places = new LongIntMap(EXPECTED);
    private final LongIntMap both = new LongIntMap(EXPECTED);
    private final LongList namesOf = new LongList(EXPECTED);
    private final LongList placesOf = new LongList(EXPECTED);

    /**
     * The number of a combination.
     *
     * @param name pool id of a name
     * @param dims pool id of shapes, -1 for none
     * @param step place of a step, -1 for none
     * @param device number of a device, -1 for none
     */
    int of(int name, int dims, int step, int device) {
        long left = (long) name << 32 | dims & 0xffff_ffffL;
        long right = (long) step << 32 | device & 0xffff_ffffL;
        long key = (long) names.numberOf(left) << 32 | places.numberOf(right);
        int before = both.size();
        int number = both.numberOf(key);
        if (number == before) {
            namesOf.add(left);
            placesOf.add(right);
        }
        return number;
    }

    int size() {
        return both.size();
    }

    int name(int number) {
        return (int) (namesOf.get(number) >> 32);
    }

    int dims(int number) {
        return (int) namesOf.get(number);
    }

    int step(int number) {
        return (int) (placesOf.get(number) >> 32);
    }

    int device(int number) {
        return (int) placesOf.get(number);
    }
}
