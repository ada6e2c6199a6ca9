// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.model.Slices;
import java.util.Arrays;

/**
 * Makes numbers that are unique within a rank unique within a file: {@code rank * 10^10 + recorded}, so that rank and
 * recorded number can be read off. Rank 0 keeps its numbers. What is recorded beyond 32 bits (hashes, addresses) gets
 * numbers from 5 * 10^9 upwards in order of its value, an arrow whose id is taken one from 8 * 10^9 upwards.
 */
public final class RankIds {
    /** Distance between the numbers of one rank and the next. */
    public static final long STRIDE = Slices.RANK_STRIDE;

    private static final long LARGEST_KEPT = 0xFFFFFFFFL;
    private static final long FIRST_OTHER = 5_000_000_000L;
    private static final long FIRST_AGAIN = 8_000_000_000L;

    private final long base;
    private final long[] others;

    /**
     * @param rank the rank
     * @param others the numbers beyond 32 bits that occur, ascending, each once
     */
    public RankIds(int rank, long[] others) {
        this.base = rank * STRIDE;
        this.others = others.clone();
    }

    /** The number in the file for a recorded one; one that is absent (-1) or was not stated stays as it is. */
    public long of(long recorded) {
        if (recorded >= 0 && recorded <= LARGEST_KEPT) {
            return base + recorded;
        }
        int place = Arrays.binarySearch(others, recorded);
        return place < 0 ? recorded : base + FIRST_OTHER + place;
    }

    /** A number for the arrow of this number, whose recorded id another arrow has already. */
    public long again(int arrow) {
        return base + FIRST_AGAIN + arrow;
    }

    /** Whether a number is one that a merge gave to this rank. */
    public static boolean isGiven(int rank, long number) {
        return Math.floorDiv(number, STRIDE) == rank;
    }

    /** Whether a number must be stated to {@link #RankIds}. */
    public static boolean isOther(long recorded) {
        return recorded != -1 && (recorded < 0 || recorded > LARGEST_KEPT);
    }
}
