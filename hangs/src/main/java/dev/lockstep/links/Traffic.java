// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What all ranks of a job said of their operations: by communicator, kind and size. Confined to one thread. */
final class Traffic {
    /** Sizes are alike that have these leading bits in common. */
    private static final int LEADING_BITS = 3;

    /** A process, and the rank that it has in the largest communicator that names it; -1 for none. */
    static final class Speaker {
        final String host;
        final long process;
        private int rank = -1;
        private int ofRanks;

        Speaker(String host, long process) {
            this.host = host;
            this.process = process;
        }

        int rank() {
            return rank;
        }
    }

    /** A communicator: who has which rank in it. */
    static final class Communicator {
        final String id;
        final int ranks;
        final int nodes;
        String name = "";
        final int[] speakers;
        final long[] records;
        final long[] dropped;

        Communicator(String id, int ranks, int nodes) {
            this.id = id;
            this.ranks = ranks;
            this.nodes = nodes;
            speakers = new int[ranks];
            Arrays.fill(speakers, -1);
            records = new long[ranks];
            dropped = new long[ranks];
        }
    }

    private record Key(Communicator communicator, String operation, String algorithm, long bytes, int from, int to) {}

    private record Side(Communicator communicator, int rank, String operation, int peer) {}

    private static final int MOST_RANKS = 1 << 20;

    private final Map<String, Communicator> communicators = new LinkedHashMap<>();
    private final Map<String, Map<Long, Integer>> numbers = new HashMap<>();
    private final List<Speaker> speakers = new ArrayList<>();
    private final Map<Key, Course> courses = new LinkedHashMap<>();
    private final Map<Side, long[]> messages = new HashMap<>();
    private long operations;
    private long unusable;

    /** Takes a record. */
    void add(InspectorRecord record) {
        if (record.operation.isEmpty() && record.dropped == 0) {
            return;
        }
        if (record.ranks < 1 || record.ranks > MOST_RANKS || record.rank < 0 || record.rank >= record.ranks) {
            unusable++;
            return;
        }
        Communicator communicator = communicators.computeIfAbsent(
                record.communicator, id -> new Communicator(id, record.ranks, record.nodes));
        if (communicator.ranks != record.ranks) {
            unusable++;
            return;
        }
        communicator.name = record.name.isEmpty() ? communicator.name : record.name;
        communicator.speakers[record.rank] = speaker(record);
        communicator.dropped[record.rank] = Math.max(communicator.dropped[record.rank], record.dropped);
        if (record.operation.isEmpty()) {
            return;
        }
        if (!record.isUsable()) {
            unusable++;
            return;
        }
        operations++;
        communicator.records[record.rank]++;
        boolean sends = record.operation.equals("Send");
        int from = !record.message ? -1 : sends ? record.rank : record.peer;
        int to = !record.message ? -1 : sends ? record.peer : record.rank;
        // both ends of a message count their own messages: the n-th sent is the n-th received
        long sequence = !record.message
                ? record.sequence
                : messages.computeIfAbsent(
                                new Side(communicator, record.rank, record.operation, record.peer), s -> new long[1])[
                        0]++;
        String algorithm = record.algorithm.isEmpty() ? "" : record.algorithm + "_" + record.protocol;
        Key key = new Key(
                communicator,
                record.message ? "SendRecv" : record.operation,
                algorithm,
                sizeClass(record.bytes),
                from,
                to);
        courses.computeIfAbsent(key, k -> new Course(communicator, k.operation, algorithm, k.bytes, k.from, k.to))
                .add(sequence, record);
    }

    private static long sizeClass(long bytes) {
        int low = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(bytes) - LEADING_BITS);
        return bytes >> low << low;
    }

    private int speaker(InspectorRecord record) {
        int number = numbers.computeIfAbsent(record.host, h -> new HashMap<>()).computeIfAbsent(record.process, p -> {
            speakers.add(new Speaker(record.host, record.process));
            return speakers.size() - 1;
        });
        Speaker speaker = speakers.get(number);
        if (record.ranks > speaker.ofRanks) {
            speaker.ofRanks = record.ranks;
            speaker.rank = record.rank;
        }
        return number;
    }

    List<Communicator> communicators() {
        return List.copyOf(communicators.values());
    }

    Speaker speaker(int number) {
        return Objects.requireNonNull(speakers.get(number));
    }

    /** All courses, in the order in which they were met. */
    List<Course> courses() {
        return List.copyOf(courses.values());
    }

    /** How many records told an operation. */
    long operations() {
        return operations;
    }

    /** How many records lack what a bandwidth needs. */
    long unusable() {
        return unusable;
    }
}
