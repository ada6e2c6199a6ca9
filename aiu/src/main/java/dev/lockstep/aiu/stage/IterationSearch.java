// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds a repeated sequence in a stream of letters. A sequence is taken as soon as it has occurred twice in a row,
 * behind a beginning of less than a third of all; from then on its further occurrences are counted.
 */
final class IterationSearch {
    private static final int SHORTEST = 10;
    private static final int SHORTEST_GRAM = 2;
    private static final long BASE = 0x9E3779B97F4A7C15L | 1;

    private final boolean shortest;
    private final IntList word = new IntList(64);
    private final DoubleList starts = new DoubleList(64);
    // Hash of the first i letters, power of the base, and where the same last letters ended before.
    private long[] hashes = new long[64];
    private long[] powers = new long[64];
    private int[] sameBefore = new int[64];
    // The last of the places, going back, that lie as far from one another as the first two.
    private int[] evenUntil = new int[64];
    private final Map<Long, Integer> grams = new HashMap<>();
    private int gram = SHORTEST_GRAM;

    private int[] reference = {};
    private int[] fallback = {};
    private double[] recent = {};
    private int matched;
    private int collected;
    private long seen;
    private boolean restarted;
    private double previous;
    private double mean;
    private long iterations;

    /** @param shortest whether what repeats within a sequence that was found is the sequence */
    IterationSearch(boolean shortest) {
        this.shortest = shortest;
        powers[0] = 1;
    }

    void add(int letter, double ts) {
        if (reference.length > 0) {
            follow(letter, ts);
        } else {
            search(letter, ts);
        }
    }

    double meanUs() {
        return mean;
    }

    /** Intervals between starts that were measured. */
    long iterations() {
        return iterations;
    }

    private void search(int letter, double ts) {
        int n = word.size();
        word.add(letter);
        starts.add(ts);
        if (n + 1 == hashes.length) {
            hashes = Arrays.copyOf(hashes, hashes.length * 2);
            powers = Arrays.copyOf(powers, powers.length * 2);
            sameBefore = Arrays.copyOf(sameBefore, sameBefore.length * 2);
            evenUntil = Arrays.copyOf(evenUntil, evenUntil.length * 2);
        }
        hashes[n + 1] = hashes[n] * BASE + letter + 1;
        powers[n + 1] = powers[n] * BASE;
        n++;
        if (gram * 6 <= n) {
            gram *= 2;
            grams.clear();
            for (int end = gram; end < n; end++) {
                note(end);
            }
        }
        if (n >= gram) {
            note(n);
        }
        if (n >= SHORTEST) {
            int half = repeatedHalf(n);
            if (half > 0) {
                take(n, half);
            }
        }
    }

    /** Finds where the last letters before a place ended before. They are at most a third of all, as pieces are more. */
    private void note(int end) {
        Integer before = grams.put(hash(end - gram, end), end);
        int same = before == null ? 0 : before;
        sameBefore[end] = same;
        boolean even = same > 0 && sameBefore[same] > 0 && same - sameBefore[same] == end - same;
        evenUntil[end] = even ? evenUntil[same] : same;
    }

    private long hash(int from, int to) {
        return hashes[to] - hashes[from] * powers[to - from];
    }

    /** The greatest length of two equal pieces at the end that leave less than a third in front; 0 when there are none. */
    private int repeatedHalf(int n) {
        int end = sameBefore[n];
        int period = n - end;
        int found = 0;
        if (end > 0 && period <= gram) {
            // The last letters repeat within themselves; so do all pieces from here to where that begins.
            int half = periodic(n, period) / 2 / period * period;
            found = isLongEnough(n, half) && isRepeated(n, half) ? half : 0;
            end = sameBefore[evenUntil[n]];
        }
        for (; end > 0 && n - end <= n / 2; end = sameBefore[end]) {
            int half = n - end;
            if (isLongEnough(n, half) && hash(end - half, end) == hash(end, n) && isRepeated(n, half)) {
                found = Math.max(found, half);
            }
        }
        return found;
    }

    private static boolean isLongEnough(int n, int half) {
        return n - 2 * half < n / 3;
    }

    /** How many of the last letters are the same as those a period before. */
    private int periodic(int n, int period) {
        return period
                + LongOrder.leading(
                        n - period, less -> hash(n - less - 1, n) == hash(n - period - less - 1, n - period));
    }

    private boolean isRepeated(int n, int half) {
        for (int i = n - half; i < n; i++) {
            if (word.get(i) != word.get(i - half)) {
                return false;
            }
        }
        return true;
    }

    private void take(int n, int half) {
        int first = n - 2 * half;
        int[] found = new int[half];
        for (int i = 0; i < half; i++) {
            found[i] = word.get(first + i);
        }
        int unit = shortest ? half - fallbacks(found)[half - 1] : half;
        reference = half % unit == 0 ? Arrays.copyOf(found, unit) : found;
        fallback = fallbacks(reference);
        recent = new double[reference.length + 1];
        previous = starts.get(n - reference.length);
        iterations = 2L * half / reference.length - 1;
        mean = (previous - starts.get(first)) / iterations;
        word.clear();
        grams.clear();
        hashes = new long[0];
        powers = hashes;
        sameBefore = new int[0];
        evenUntil = sameBefore;
    }

    /** For each length, the length of the longest proper beginning that also ends there. */
    private static int[] fallbacks(int[] word) {
        int[] fallback = new int[word.length];
        int length = 0;
        for (int i = 1; i < word.length; i++) {
            while (length > 0 && word[i] != word[length]) {
                length = fallback[length - 1];
            }
            length += word[i] == word[length] ? 1 : 0;
            fallback[i] = length;
        }
        return fallback;
    }

    private void follow(int letter, double ts) {
        int length = reference.length;
        while (matched > 0 && (matched == length || reference[matched] != letter)) {
            matched = fallback[matched - 1];
        }
        matched += reference[matched] == letter ? 1 : 0;
        recent[(int) (seen % recent.length)] = ts;
        seen++;
        collected++;
        if (collected > length) {
            // Something is missing or added: go on with as much of the end as may be a beginning.
            collected = matched;
            restarted = true;
        }
        if (collected == length && matched == length) {
            measure(recent[(int) ((seen - length) % recent.length)]);
            matched = 0;
            collected = 0;
        }
    }

    private void measure(double start) {
        if (!restarted) {
            iterations++;
            mean += (start - previous - mean) / iterations;
        }
        restarted = false;
        previous = start;
    }
}
