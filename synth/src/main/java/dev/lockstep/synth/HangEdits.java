// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HangProgram.Members;
import java.util.Collections;
import java.util.List;

/** Faults as changes of what a rank calls. */
final class HangEdits {
    private HangEdits() {}

    /**
     * Changes the calls of a rank.
     *
     * @param own its calls
     * @param place of the call that is changed
     * @param ownGroups its groups
     * @return whether the fault makes sense there
     */
    static boolean plant(HangFault fault, List<HangCall> own, int place, int[] ownGroups, List<Members> groups) {
        HangCall call = own.get(place);
        if (fault.isOfMessages() != call.isMessage() || groups.get(call.group()).ranks().length < 2) {
            return false;
        }
        HangCall next = own.get(place + 1);
        switch (fault) {
            case OTHER_OPERATION ->
                own.set(place, call.of(call.kind().equals("all_reduce") ? "broadcast" : "all_reduce"));
            case OTHER_SIZE -> own.set(place, call.of(3 * call.in()));
            case OTHER_TYPE -> own.set(place, call.ofType("Half"));
            case SKIPPED -> own.remove(place);
            case EXTRA -> own.add(place, call);
            case SWAPPED -> {
                if (next.group() != call.group() || next.isMessage() || call.agrees(next)) {
                    return false;
                }
                Collections.swap(own, place, place + 1);
            }
            case SWAPPED_GROUPS -> {
                if (next.group() == call.group()
                        || next.isMessage()
                        || groups.get(next.group()).ranks().length < 2) {
                    return false;
                }
                own.set(place, next.waitedFor());
                own.set(place + 1, call.waitedFor());
            }
            case OTHER_GROUP -> {
                int other = ownGroups[0] == call.group() ? ownGroups[1] : ownGroups[0];
                if (groups.get(other).ranks().length < 2) {
                    return false;
                }
                own.set(place, call.in(other));
            }
            case MISSING_SEND -> {
                return call.kind().equals("send") && own.remove(place) != null;
            }
            case MISSING_RECEIVE -> {
                return call.kind().equals("recv") && own.remove(place) != null;
            }
            case MESSAGE_SIZE -> own.set(place, call.of(3 * call.in()));
            case RECEIVE_CIRCLE -> {
                if (!call.kind().equals("send") || !next.kind().equals("recv") || next.peer() != call.peer()) {
                    return false;
                }
                Collections.swap(own, place, place + 1);
            }
            default -> throw new IllegalStateException(fault.word());
        }
        return true;
    }

    /** What may be said of a fault. Which it is shows only where the host ran on behind it. */
    static List<String> kinds(HangFault fault) {
        return switch (fault) {
            case NONE -> List.of();
            case ABSENT, NEVER_STARTED, EARLY_EXIT -> List.of("never_arrived");
            case DEAD, DEAD_NODE -> List.of("no_dump");
            case OTHER_OPERATION -> List.of("other_operation");
            case OTHER_SIZE, MESSAGE_SIZE -> List.of("other_size");
            case OTHER_TYPE -> List.of("other_type");
            case SKIPPED -> List.of("skipped_call", "other_order");
            case EXTRA -> List.of("extra_call", "other_order", "unmatched_receive", "unmatched_send");
            case SWAPPED, SWAPPED_GROUPS -> List.of("swapped_calls", "other_order");
            case OTHER_GROUP ->
                List.of(
                        "other_operation",
                        "other_size",
                        "other_type",
                        "other_order",
                        "extra_call",
                        "skipped_call",
                        "unmatched_receive",
                        "unmatched_send");
            case STUCK_BEFORE, STUCK_INSIDE -> List.of("stuck_on_device");
            case NETWORK -> List.of("collective_stuck");
            case MISSING_SEND, RECEIVE_CIRCLE -> List.of("unmatched_receive");
            case MISSING_RECEIVE -> List.of("unmatched_send");
        };
    }
}
