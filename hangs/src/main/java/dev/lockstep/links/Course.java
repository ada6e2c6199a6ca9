// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import dev.lockstep.links.Traffic.Communicator;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one kind and size in one communicator, or from one of its ranks to another. The time that a rank states holds its
 * wait for the others, so that the shortest of all ranks is the transfer, and the rank that has it came last.
 */
final class Course {
    final Communicator communicator;
    final String operation;
    final String algorithm;

    /** The least of the sizes that count as one. */
    final long bytes;

    /** Rank within the communicator that sends, and that receives; -1 of a collective. */
    final int from;

    final int to;
    private final LongIntMap rows = new LongIntMap(16);
    private final LongList sequences = new LongList(4);
    private final LongList shortest = new LongList(4);
    private final LongList second = new LongList(4);
    private final LongList longest = new LongList(4);
    private final LongList calledUs = new LongList(4);
    private final IntList last = new IntList(4);
    private final IntList present = new IntList(4);
    private final IntList bandwidth = new IntList(4);
    private int @Nullable [] complete;

    Course(Communicator communicator, String operation, String algorithm, long bytes, int from, int to) {
        this.communicator = communicator;
        this.operation = operation;
        this.algorithm = algorithm;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    void add(long sequence, InspectorRecord record) {
        complete = null;
        int row = rows.numberOf(sequence);
        long time = record.calledUs > 0 ? record.calledUs : record.writtenUs;
        float bus = (float) (record.busBandwidth > 0 ? record.busBandwidth : (double) record.bytes / record.nanos);
        if (row == sequences.size()) {
            sequences.add(sequence);
            shortest.add(record.nanos);
            second.add(Long.MAX_VALUE);
            longest.add(record.nanos);
            calledUs.add(time);
            last.add(record.rank);
            present.add(1);
            bandwidth.add(Float.floatToIntBits(bus));
            return;
        }
        long known = shortest.get(row);
        if (record.nanos < known || record.nanos == known && record.rank < last.get(row)) {
            second.set(row, known);
            shortest.set(row, record.nanos);
            last.set(row, record.rank);
        } else {
            second.set(row, Math.min(second.get(row), record.nanos));
        }
        longest.set(row, Math.max(longest.get(row), record.nanos));
        calledUs.set(row, Math.min(calledUs.get(row), time));
        present.set(row, present.get(row) + 1);
        bandwidth.set(row, Float.floatToIntBits(Math.max(bus, Float.intBitsToFloat(bandwidth.get(row)))));
    }

    boolean isMessage() {
        return from >= 0;
    }

    /** How many operations were seen. */
    int size() {
        return sequences.size();
    }

    /** Whether all members said how long an operation took: else its transfer cannot be told from waiting. */
    boolean isComplete(int row) {
        return present.get(row) >= (isMessage() ? 2 : communicator.ranks);
    }

    long sequence(int row) {
        return sequences.get(row);
    }

    /** When it was called, in µs; of several ranks the first. */
    long calledUs(int row) {
        return calledUs.get(row);
    }

    /** Without waiting, GB/s. */
    double bandwidth(int row) {
        return Float.intBitsToFloat(bandwidth.get(row));
    }

    /** The rank within the communicator that came last. */
    int last(int row) {
        return last.get(row);
    }

    /** By how much it came later than the one before it, in ns; 0 where only one rank is known. */
    long late(int row) {
        return second.get(row) == Long.MAX_VALUE ? 0 : second.get(row) - shortest.get(row);
    }

    /** From the first to the last rank, in ns. */
    long longestNs(int row) {
        return longest.get(row);
    }

    long shortestNs(int row) {
        return shortest.get(row);
    }

    /** Rows of operations that are complete; not to be changed. */
    int[] complete() {
        int[] known = complete;
        if (known == null) {
            known = findComplete();
            complete = known;
        }
        return known;
    }

    private int[] findComplete() {
        int[] kept = new int[size()];
        int n = 0;
        for (int row = 0; row < size(); row++) {
            if (isComplete(row)) {
                kept[n++] = row;
            }
        }
        return Arrays.copyOf(kept, n);
    }

    /**
     * The logarithm of bandwidth over the course of the run: the median of each bin.
     *
     * @param first the operation with which the first bin begins
     * @param beyond the operation behind the last bin
     * @return NaN for a bin without complete operations
     */
    double[] bins(long first, long beyond, int bins) {
        double[][] values = new double[bins][];
        int[] counts = new int[bins];
        int[] rows = complete();
        for (int row : rows) {
            counts[bin(sequence(row), first, beyond, bins)]++;
        }
        for (int bin = 0; bin < bins; bin++) {
            values[bin] = new double[counts[bin]];
        }
        for (int row : rows) {
            int bin = bin(sequence(row), first, beyond, bins);
            values[bin][--counts[bin]] = StrictMath.log(bandwidth(row));
        }
        return Arrays.stream(values)
                .mapToDouble(of -> Quantiles.medianOf(of, Double.NaN))
                .toArray();
    }

    static int bin(long sequence, long first, long beyond, int bins) {
        return Math.min(bins - 1, (int) ((double) (sequence - first) / (beyond - first) * bins));
    }
}
