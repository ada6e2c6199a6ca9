// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HangProgram.Members;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Faults as changes of what a rank calls. */
final class HangEdits {
    private static final int MOST_SKIPPED = 64;

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

    /**
     * What the dump of the culprit says of a fault. Of an order that changed, it is the one change that explains all calls that were
     * made; {@code other_order} where several do. The end of a message that is missing is named in any case.
     *
     * @param step what the rank calls in each step
     * @param made what it called in the step that hangs and the one behind
     * @param frames whether the dump says from where
     */
    static String kind(HangFault fault, List<HangCall> step, List<HangCall> made, boolean frames) {
        return switch (fault) {
            case NONE -> "none";
            case ABSENT, NEVER_STARTED, EARLY_EXIT -> "never_arrived";
            case DEAD, DEAD_NODE -> "no_dump";
            case OTHER_OPERATION -> "other_operation";
            case OTHER_SIZE, MESSAGE_SIZE -> "other_size";
            case OTHER_TYPE -> "other_type";
            case STUCK_BEFORE, STUCK_INSIDE -> "stuck_on_device";
            case NETWORK -> "collective_stuck";
            case SKIPPED, EXTRA, SWAPPED, SWAPPED_GROUPS, OTHER_GROUP, MISSING_SEND, MISSING_RECEIVE, RECEIVE_CIRCLE ->
                ofOrder(step, made, frames);
        };
    }

    private static String ofOrder(List<HangCall> step, List<HangCall> made, boolean frames) {
        int at = 0;
        while (at < made.size() && isLike(made.get(at), step.get(at % step.size()), frames)) {
            at++;
        }
        if (at == made.size()) {
            return "none";
        }
        HangCall expected = step.get(at % step.size());
        TreeSet<String> fitting = new TreeSet<>();
        if (runs(made, at + 1, step, at + 1, frames)
                && made.get(at).group() != expected.group()
                && isLike(made.get(at), expected.in(made.get(at).group()), frames)) {
            if (frames) {
                return "other_group";
            }
            fitting.add("other_group");
        } else if (runs(made, at + 1, step, at + 1, frames)) {
            fitting.add("other call");
        }
        boolean repeated = false;
        for (int skipped = 1; skipped <= MOST_SKIPPED; skipped++) {
            boolean fits = runs(made, at, step, at + skipped, frames);
            repeated |= isLike(made.get(at), step.get((at + skipped) % step.size()), frames);
            if (fits) {
                fitting.add("skipped_call");
            }
        }
        if (repeated && runs(made, at + 1, step, at, frames)) {
            fitting.add("extra_call");
        }
        List<HangCall> swapped = List.of(step.get((at + 1) % step.size()), expected);
        if (isStart(made.subList(at, Math.min(at + 2, made.size())), swapped, frames)
                && runs(made, at + 2, step, at + 2, frames)) {
            fitting.add("swapped_calls");
        }
        String kind = fitting.size() == 1 ? fitting.first() : "other_order";
        boolean isOrder = !kind.equals("extra_call") && !kind.equals("other_group");
        return expected.isMessage() && isOrder
                ? expected.kind().equals("send") ? "unmatched_receive" : "unmatched_send"
                : kind;
    }

    /** Whether all calls from a place on are those of the steps from another. */
    private static boolean runs(List<HangCall> made, int from, List<HangCall> step, int against, boolean frames) {
        for (int i = from; i < made.size(); i++) {
            if (!isLike(made.get(i), step.get((against + i - from) % step.size()), frames)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isStart(List<HangCall> made, List<HangCall> of, boolean frames) {
        for (int i = 0; i < made.size(); i++) {
            if (!isLike(made.get(i), of.get(i), frames)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a dump shows both alike. */
    private static boolean isLike(HangCall one, HangCall other, boolean frames) {
        return one.group() == other.group()
                && one.peer() == other.peer()
                && one.agrees(other)
                && (!frames || one.line() == other.line());
    }
}
