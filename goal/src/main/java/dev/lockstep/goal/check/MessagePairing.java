// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Flaws;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Which receive takes which send: in each channel the first the first, and so on, in order of the file. */
final class MessagePairing {
    private static final int NAMED = 3;

    private final List<Operations> ranks;
    private final Flaws flaws;
    private final int[][] partner;

    private MessagePairing(StoredSchedule schedule, Flaws flaws) {
        ranks = schedule.ranks();
        this.flaws = flaws;
        partner = new int[ranks.size()][];
        for (int rank = 0; rank < partner.length; rank++) {
            partner[rank] = new int[ranks.get(rank).size()];
            Arrays.fill(partner[rank], -1);
        }
    }

    /** Pairs all messages; those that have no partner, or one of another size, become flaws. */
    static MessagePairing of(StoredSchedule schedule, Channels channels, Flaws flaws) {
        MessagePairing pairing = new MessagePairing(schedule, flaws);
        channels.forEach(pairing::channel);
        return pairing;
    }

    /** The operation at the other end of a message, within the rank of its peer; -1 if there is none. */
    int partner(int rank, int operation) {
        return partner[rank][operation];
    }

    private void channel(int from, int to, long tag, Channels.Range sends, Channels.Range receives) {
        int both = Math.min(sends.size(), receives.size());
        for (int i = 0; i < both; i++) {
            partner[from][sends.operation(i)] = receives.operation(i);
            partner[to][receives.operation(i)] = sends.operation(i);
        }
        if (sends.size() != receives.size()) {
            unmatched(new Channel(from, to, tag), sends, receives);
        } else if (both == 1) {
            long sent = ranks.get(from).amount(sends.operation(0));
            long received = ranks.get(to).amount(receives.operation(0));
            if (sent != received) {
                sizes(new Channel(from, to, tag), sends.operation(0), sent, receives.operation(0), received);
            }
        } else {
            long[] sent = sizes(from, sends);
            long[] received = sizes(to, receives);
            int differs = Arrays.mismatch(sent, received);
            if (differs >= 0) {
                Channel channel = new Channel(from, to, tag);
                sizes(
                        channel,
                        first(from, sends, sent[differs]),
                        sent[differs],
                        first(to, receives, received[differs]),
                        received[differs]);
            }
        }
    }

    private long[] sizes(int rank, Channels.Range messages) {
        long[] sizes = new long[messages.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = ranks.get(rank).amount(messages.operation(i));
        }
        Arrays.sort(sizes);
        return sizes;
    }

    /** The first message of a size, which there is. */
    private int first(int rank, Channels.Range messages, long size) {
        int i = 0;
        while (ranks.get(rank).amount(messages.operation(i)) != size) {
            i++;
        }
        return messages.operation(i);
    }

    /** The messages from one rank to another with one tag, as a flaw names them. */
    private record Channel(int from, int to, long tag) {
        @Override
        public String toString() {
            return "message from rank " + from + " to rank " + to + ", tag " + tag;
        }
    }

    private void unmatched(Channel channel, Channels.Range sends, Channels.Range receives) {
        if (!flaws.wanted()) {
            flaws.addSilently();
            return;
        }
        int both = Math.min(sends.size(), receives.size());
        List<Place> lone = new ArrayList<>();
        boolean sent = sends.size() > receives.size();
        Channels.Range longer = sent ? sends : receives;
        for (int i = both; i < longer.size() && lone.size() < NAMED; i++) {
            lone.add(new Place(sent ? channel.from : channel.to, longer.operation(i)));
        }
        int more = longer.size() - both - lone.size();
        flaws.add(
                channel + ": " + count(sends.size(), "send")
                        + ", " + count(receives.size(), "receive") + "; alone: "
                        + String.join(", ", Collections.nCopies(lone.size(), "%s"))
                        + (more > 0 ? " and " + more + " more" : ""),
                lone);
    }

    private void sizes(Channel channel, int send, long sent, int receive, long received) {
        flaws.add(
                channel + ": " + sent + " bytes are sent (%s), " + received + " bytes are received (%s)",
                new Place(channel.from, send),
                new Place(channel.to, receive));
    }

    private static String count(int n, String word) {
        return n + " " + word + (n == 1 ? "" : "s");
    }
}
