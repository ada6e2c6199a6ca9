// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Flaws;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.util.ArrayList;
import java.util.List;

/**
 * The proof that a schedule can run to its end, whatever the network: no operation waits for itself, every message has
 * a receive of its size, and with or without rendezvous nobody waits for ever.
 */
public final class ScheduleVerification {
    private static final int NAMED = 12;

    private ScheduleVerification() {}

    /** The schedule's flaws: those of single lines, and those that only show when operations are seen together. */
    public static Flaws check(StoredSchedule schedule) {
        Flaws flaws = schedule.flaws().copy();
        for (int rank = 0; rank < schedule.ranks().size(); rank++) {
            Cycles.find(rank, schedule.ranks().get(rank), flaws);
        }
        MessagePairing pairing = MessagePairing.of(schedule, Channels.of(schedule), flaws);
        if (flaws.count() == 0) {
            completes(schedule, pairing, flaws);
        }
        return flaws;
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
