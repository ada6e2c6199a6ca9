// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Tags that both sides of a message find by themselves. The messages from one rank to another with the same label are
 * numbered: communicator by communicator, there collectives before messages of pairs, by their sequence numbers, and
 * within an operation in order. Nothing depends on when a rank gets to an operation.
 */
public final class DenseTags {
    private static final int SENT = 0;
    private static final int RECEIVED = 1;

    private final List<RecordedOperation> operations;
    private final MessageCounts[] counts;
    private final long[] labels;
    private final long[][] first;
    private final TagLabel.Facts[] facts;
    private final TagNeeds needs;

    private DenseTags(
            List<RecordedOperation> operations,
            MessageCounts[] counts,
            TagLabel.Facts[] facts,
            long[] labels,
            long[][] first,
            TagNeeds needs) {
        this.operations = operations;
        this.counts = counts;
        this.facts = facts;
        this.labels = labels;
        this.first = first;
        this.needs = needs;
    }

    /** Numbers the messages of a rank. */
    static DenseTags of(
            List<RecordedOperation> operations, MessageCensus census, TagLabel label, int[] parallelisms, int self)
            throws IOException {
        int n = operations.size();
        MessageCounts[] counts = new MessageCounts[n];
        TagLabel.Facts[] facts = new TagLabel.Facts[n];
        long[] labels = new long[n];
        for (int i = 0; i < n; i++) {
            RecordedOperation o = operations.get(i);
            counts[i] = census.of(o);
            // A message has two names, but one label.
            int kind = (o.message() ? NcclFunction.SEND : o.kind()).ordinal();
            facts[i] = new TagLabel.Facts(parallelisms[o.communicator()], o.communicator(), kind, o.sequence());
            labels[i] = label.of(facts[i]);
        }
        Numbering numbering = new Numbering(self, counts, labels);
        IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> operations.get(i).communicator())
                        .thenComparing(i -> operations.get(i).message())
                        .thenComparingLong(i -> operations.get(i).sequence()))
                .forEach(numbering::number);
        return new DenseTags(operations, counts, facts, labels, numbering.first, numbering.needs);
    }

    private record Counter(int peer, long label) {}

    private static final class Numbering {
        private final int self;
        private final MessageCounts[] counts;
        private final long[] labels;
        private final long[][] first;
        private final Map<Counter, long[]> counters = new HashMap<>();
        private TagNeeds needs = TagNeeds.NONE;

        Numbering(int self, MessageCounts[] counts, long[] labels) {
            this.self = self;
            this.counts = counts;
            this.labels = labels;
            this.first = new long[counts.length][];
        }

        void number(int operation) {
            MessageCounts count = counts[operation];
            long[] numbers = new long[2 * count.size()];
            for (int i = 0; i < count.size(); i++) {
                int peer = count.peer(i);
                long[] next = counters.computeIfAbsent(new Counter(peer, labels[operation]), key -> new long[2]);
                numbers[2 * i + SENT] = next[SENT];
                numbers[2 * i + RECEIVED] = next[RECEIVED];
                next[SENT] += count.sent(i);
                next[RECEIVED] += count.received(i);
                need(next[SENT] - 1, labels[operation], self, peer);
                need(next[RECEIVED] - 1, labels[operation], peer, self);
            }
            first[operation] = numbers;
        }

        private void need(long number, long label, int from, int to) {
            if (number > needs.number() || label > needs.label()) {
                needs = needs.and(new TagNeeds(number, label, "messages from rank " + from + " to rank " + to));
            }
        }
    }

    TagNeeds needs() {
        return needs;
    }

    /** Tells what is sent to whom with which tags. */
    public interface Reader {
        /**
         * Messages of one operation to one rank.
         *
         * @param first number of the first of them among those with the same label
         */
        void messages(int to, RecordedOperation operation, TagLabel.Facts facts, long label, long first, int count)
                throws IOException;
    }

    /** Tells all that this rank sends. */
    public void read(Reader reader) throws IOException {
        for (int o = 0; o < counts.length; o++) {
            for (int i = 0; i < counts[o].size(); i++) {
                if (counts[o].sent(i) > 0) {
                    reader.messages(
                            counts[o].peer(i),
                            operations.get(o),
                            facts[o],
                            labels[o],
                            first[o][2 * i + SENT],
                            counts[o].sent(i));
                }
            }
        }
    }

    Giver giver(TagFormat format) {
        return new Giver(format);
    }

    /** Gives messages their tags as they are written. */
    final class Giver implements MessageTags {
        private final long step;
        private long[] next = {};
        private MessageCounts count = new MessageCounts();
        private long label;
        private int last;

        private Giver(TagFormat format) {
            step = format.step();
        }

        /** What follows belongs to an operation, by its place. */
        void operation(int place) {
            count = counts[place];
            label = labels[place];
            next = first[place].clone();
            last = 0;
        }

        @Override
        public long send(int to) {
            return next[2 * place(to) + SENT]++ * step + label;
        }

        @Override
        public long recv(int from) {
            return next[2 * place(from) + RECEIVED]++ * step + label;
        }

        private int place(int peer) {
            if (count.peer(last) != peer) {
                last = 0;
                while (count.peer(last) != peer) {
                    last++;
                }
            }
            return last;
        }
    }
}
