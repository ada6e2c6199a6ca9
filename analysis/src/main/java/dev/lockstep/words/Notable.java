// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

/** What findings leave out because it is too little of the whole. */
public final class Notable {
    private Notable() {}

    /**
     * {@return whether a part is there, and large enough to be told}
     *
     * @param part in the unit of the whole
     * @param share the least share of the whole that is told, from 0 to 1
     * @param whole what it is a part of
     */
    public static boolean is(long part, double share, long whole) {
        return part > 0 && part >= whole * share;
    }
}
