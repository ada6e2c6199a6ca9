// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.util.List;

/**
 * Brings together the sends and receives that can meet: those of equal source, destination and tag, which are a
 * channel. Within a channel messages are taken in the order in which they were sent.
 */
public final class Channels {
    /** Takes the channels of a schedule one by one. */
    public interface Sink {
        /**
         * @param from the sending rank
         * @param to the receiving rank
         * @param tag without a sign
         * @param sends operations of the sending rank, in order of the file
         * @param receives operations of the receiving rank, in order of the file
         */
        void channel(int from, int to, long tag, Range sends, Range receives);
    }

    /** Some operations in a row; valid only while a channel is handed over. */
    public static final class Range {
        private Messages messages;
        private int start;
        private int end;

        private Range(Messages messages) {
            this.messages = messages;
        }

        public int size() {
            return end - start;
        }

        /** The number of an operation within its rank. */
        public int operation(int i) {
            return messages.operation(start + i);
        }
    }

    private final Messages[] sends;
    private final Messages[] receives;

    private Channels(Messages[] sends, Messages[] receives) {
        this.sends = sends;
        this.receives = receives;
    }

    /** The channels of a schedule. */
    public static Channels of(StoredSchedule schedule) {
        return new Channels(sorted(schedule.ranks(), Operations.SEND), sorted(schedule.ranks(), Operations.RECV));
    }

    private static Messages[] sorted(List<Operations> ranks, byte kind) {
        Messages[] sorted = new Messages[ranks.size()];
        for (int rank = 0; rank < sorted.length; rank++) {
            sorted[rank] = Messages.of(ranks.get(rank), kind, sorted.length);
        }
        return sorted;
    }

    /** Hands over every channel once, by source, destination and tag; channels that only receive come last. */
    public void forEach(Sink sink) {
        for (int from = 0; from < sends.length; from++) {
            Messages sent = sends[from];
            for (int at = 0; at < sent.size(); ) {
                int to = sent.peer(at);
                int end = sent.to(at, to);
                pair(from, to, at, end, sink);
                at = end;
            }
        }
        for (int to = 0; to < receives.length; to++) {
            Messages received = receives[to];
            for (int at = 0; at < received.size(); ) {
                int from = received.peer(at);
                int end = received.to(at, from);
                int first = sends[from].from(to);
                if (sends[from].to(first, to) == first) {
                    pair(from, to, first, first, sink);
                }
                at = end;
            }
        }
    }

    private void pair(int from, int to, int start, int end, Sink sink) {
        Range s = new Range(sends[from]);
        Range r = new Range(receives[to]);
        s.end = start;
        r.end = receives[to].from(from);
        int last = receives[to].to(r.end, from);
        while (s.end < end || r.end < last) {
            s.start = s.end;
            r.start = r.end;
            long sentTag = s.end < end ? s.messages.tag(s.end) : Long.MAX_VALUE;
            long receivedTag = r.end < last ? r.messages.tag(r.end) : Long.MAX_VALUE;
            if (sentTag <= receivedTag) {
                s.end = s.messages.alike(s.end);
            }
            if (receivedTag <= sentTag) {
                r.end = r.messages.alike(r.end);
            }
            sink.channel(from, to, Math.min(sentTag, receivedTag), s, r);
        }
    }
}
