// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Flaws;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The proof that a schedule runs to its end, whatever the network: no operation waits for itself, every message has a receive
 * of its size, and with or without rendezvous nobody waits for ever, in whatever order messages meet that share source,
 * destination and tag.
 */
public final class ScheduleVerification {
    private static final int NAMED = 12;
    private static final int MOST_SIZES = 10;

    private ScheduleVerification() {}

    /** The schedule's flaws: those of single lines, and those that only show when operations are seen together. */
    public static Flaws check(StoredSchedule schedule) {
        Flaws flaws = schedule.flaws().copy();
        for (int rank = 0; rank < schedule.ranks().size(); rank++) {
            Cycles.find(rank, schedule.ranks().get(rank), flaws);
        }
        Channels channels = Channels.of(schedule);
        MessagePairing pairing = MessagePairing.of(schedule, channels, flaws);
        if (flaws.count() == 0) {
            completes(schedule, pairing, flaws);
        }
        SharedChannels shared = SharedChannels.of(schedule, channels);
        if (flaws.count() == 0 && shared.size() > 0) {
            completesInAnyOrder(schedule, pairing, shared, flaws);
        }
        return flaws;
    }

    private static void completesInAnyOrder(
            StoredSchedule schedule, MessagePairing pairing, SharedChannels shared, Flaws flaws) {
        Place open = AnyOrder.of(schedule.ranks(), pairing, shared).open();
        if (open == null) {
            return;
        }
        OrderSearch search = new OrderSearch(schedule.ranks(), pairing, shared);
        long[] sizes = sizes(schedule);
        for (long size : sizes) {
            OrderSearch.Deadlock deadlock = search.find(size);
            if (deadlock != null) {
                add(schedule, deadlock, flaws);
                return;
            }
        }
        if (!search.isComplete() || sizes.length > MOST_SIZES) {
            SharedChannels.Channel channel = shared.get(shared.of(open.rank(), open.operation()));
            flaws.leaveOpen(
                    "not proven for every order: " + channel.sends().length + " messages from rank " + channel.from()
                            + " to rank " + channel.to() + " have tag " + channel.tag()
                            + "; unless they meet in the order of the file, %s " + describe(schedule, open)
                            + " may wait for ever",
                    open);
        }
    }

    /** From which sizes on senders may wait: where none does, all do, or those from one of the sizes on. */
    private static long[] sizes(StoredSchedule schedule) {
        TreeSet<Long> sizes = new TreeSet<>(List.of(0L, Long.MAX_VALUE));
        for (Operations rank : schedule.ranks()) {
            for (int i = 0; i < rank.size() && sizes.size() <= MOST_SIZES; i++) {
                if (rank.kind(i) == Operations.SEND) {
                    sizes.add(rank.amount(i));
                }
            }
        }
        return sizes.stream().mapToLong(size -> size).toArray();
    }

    private static void add(StoredSchedule schedule, OrderSearch.Deadlock deadlock, Flaws flaws) {
        List<Place> places = new ArrayList<>();
        StringBuilder text =
                new StringBuilder("deadlock when messages of one tag meet in another order than in the file: ");
        if (deadlock.send() != null && deadlock.receive() != null) {
            places.add(deadlock.send());
            places.add(deadlock.receive());
            text.append("if %s ").append(describe(schedule, deadlock.send())).append(" meets %s ");
            text.append(describe(schedule, deadlock.receive())).append(", ");
        }
        text.append(deadlock.stuck()).append(deadlock.stuck() == 1 ? " operation never ends" : " operations never end");
        for (int i = 0; i < deadlock.waiting().size() && i < NAMED; i++) {
            places.add(deadlock.waiting().get(i));
            text.append(i == 0 ? ", among them %s " : ", %s ")
                    .append(describe(schedule, deadlock.waiting().get(i)));
        }
        flaws.add(text.toString(), places);
    }

    /** Messages in order of the file; if everything ends with rendezvous, it does so without. */
    private static void completes(StoredSchedule schedule, MessagePairing pairing, Flaws flaws) {
        Completion strict = Completion.of(schedule.ranks(), pairing, true);
        if (strict.stuck() == 0) {
            return;
        }
        Completion loose = Completion.of(schedule.ranks(), pairing, false);
        Completion stuck = loose.stuck() > 0 ? loose : strict;
        List<Place> circle = new ArrayList<>(stuck.circle());
        StringBuilder text = new StringBuilder("deadlock")
                .append(loose.stuck() > 0 ? "" : " with rendezvous (senders that wait for their receivers)")
                .append(": ")
                .append(stuck.stuck())
                .append(" operations never end; each of these waits for the next, the last for the first: ");
        int more = circle.size() - NAMED;
        List<Place> named = more > 0 ? circle.subList(0, NAMED) : circle;
        for (int i = 0; i < named.size(); i++) {
            text.append(i == 0 ? "%s " : ", %s ").append(describe(schedule, named.get(i)));
        }
        flaws.add(text + (more > 0 ? " and " + more + " more" : ""), named);
    }

    /** An operation as the file says it, without its label. */
    public static String describe(StoredSchedule schedule, Place place) {
        Operations rank = schedule.ranks().get(place.rank());
        int operation = place.operation();
        byte kind = rank.kind(operation);
        if (kind == Operations.CALC) {
            return "calc " + rank.amount(operation);
        }
        return Operations.word(kind) + " " + rank.amount(operation) + "b " + (kind == Operations.SEND ? "to " : "from ")
                + rank.peer(operation) + " tag " + Integer.toUnsignedString(rank.tag(operation));
    }
}
