// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The reference's labels of operations: what kind of parallelism their stream looks like, and a hash of communicator, kind
 * and number. Hashes of one GPU lie in one array of numbers; where some need 64 bits and others do not, the array becomes
 * one of floating-point numbers, and the hashes are rounded.
 */
final class ReferenceLabels {
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;
    private static final long OF_LENGTH = 3527539;
    private static final int HASHES = 1000;
    private static final int PARALLELISMS = 100;

    private record Counter(int communicator, int kind) {}

    private ReferenceLabels() {}

    /**
     * Labels of a GPU's operations.
     *
     * @param operations in the order in which they are numbered
     * @param spelled the same in the order in which streams spell their words
     */
    static long[] of(List<RecordedOperation> operations, List<RecordedOperation> spelled) {
        Map<String, StringBuilder> words = new HashMap<>();
        for (RecordedOperation o : spelled) {
            words.computeIfAbsent(o.stream(), s -> new StringBuilder()).append(letter(o.kind()));
        }
        Map<String, Integer> parallelisms = new HashMap<>();
        words.forEach((stream, word) -> parallelisms.put(stream, parallelism(word.toString())));
        long[] hashes = hashes(operations);
        boolean rounded = false;
        for (long hash : hashes) {
            rounded |= hash < 0 != hashes[0] < 0;
        }
        for (int i = 0; i < hashes.length; i++) {
            long rest = rounded ? (long) (unsigned(hashes[i]) % HASHES) : Long.remainderUnsigned(hashes[i], HASHES);
            hashes[i] = rest * PARALLELISMS + parallelisms.getOrDefault(operations.get(i).stream(), 0);
        }
        return hashes;
    }

    private static long[] hashes(List<RecordedOperation> operations) {
        int[] numbers = numbers(operations);
        long[] hashes = new long[operations.size()];
        for (int i = 0; i < hashes.length; i++) {
            RecordedOperation o = operations.get(i);
            hashes[i] = hash(o.communicator(), kind(o.kind()), numbers[i]);
        }
        return hashes;
    }

    /** Running numbers of operations among those of their kind in their communicator; 0 for messages. */
    static int[] numbers(List<RecordedOperation> operations) {
        Map<Counter, Integer> counters = new HashMap<>();
        return operations.stream()
                .mapToInt(o -> o.message()
                        ? 0
                        : counters.merge(new Counter(o.communicator(), kind(o.kind())), 1, Integer::sum) - 1)
                .toArray();
    }

    /** Python's hash of a tuple of small numbers. */
    static long hash(long... parts) {
        long hash = PRIME_5;
        for (long part : parts) {
            hash += part * PRIME_2;
            hash = Long.rotateLeft(hash, 31) * PRIME_1;
        }
        hash += parts.length ^ (PRIME_5 ^ OF_LENGTH);
        return hash == -1 ? 1546275796 : hash;
    }

    /** The nearest floating-point number. */
    private static double unsigned(long value) {
        return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
    }

    private static int kind(NcclFunction kind) {
        return switch (kind) {
            case ALL_REDUCE -> 0;
            case ALL_GATHER -> 1;
            case REDUCE_SCATTER -> 2;
            case BROADCAST -> 3;
            case REDUCE -> 4;
            default -> 6;
        };
    }

    private static char letter(NcclFunction kind) {
        return switch (kind) {
            case ALL_GATHER -> 'A';
            case ALL_REDUCE -> 'B';
            case BROADCAST -> 'C';
            case REDUCE_SCATTER -> 'D';
            case RECV -> 'E';
            case SEND -> 'F';
            default -> 'R';
        };
    }

    /** 2 for data parallel streams, 1 for pipelines, 0 for others. */
    static int parallelism(String word) {
        if (dataParallel(word)) {
            return 2;
        }
        return word.chars().filter(c -> c == 'E' || c == 'F').count() >= 2 ? 1 : 0;
    }

    /** Whether as many gathers as scatters follow each other, again and again. */
    private static boolean dataParallel(String word) {
        int n = 0;
        while (n < word.length() && word.charAt(n) == 'A') {
            n++;
        }
        if (n == 0) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) != (i / n % 2 == 0 ? 'A' : 'D')) {
                return false;
            }
        }
        return word.length() % n == 0;
    }
}
