// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import dev.lockstep.hangs.dump.Group;
import dev.lockstep.hangs.wait.HangVerdict;
import dev.lockstep.hangs.wait.HangVerdict.Made;
import dev.lockstep.words.Words;
import java.util.Locale;

/** Verdicts in sentences: what happened, then from where the calls came. */
final class HangWords {
    private HangWords() {}

    static String sentence(HangVerdict v) {
        String who = v.culprits().isEmpty()
                ? Words.capitalized(Group.ranks(v.parties()))
                : Words.capitalized(Group.ranks(v.culprits()));
        boolean many = (v.culprits().isEmpty() ? v.parties() : v.culprits()).size() > 1;
        String wanted = v.wanted().call();
        String instead = v.instead() == null ? "nothing" : v.instead().call();
        String where = place(v);
        return switch (v.kind()) {
            case OTHER_OPERATION, OTHER_SIZE, OTHER_TYPE ->
                v.culprits().isEmpty()
                        ? who + " disagree on " + where + ": " + instead + " against " + wanted
                                + ". The dumps do not say who is right."
                        : who + " called " + instead + " where the others called " + wanted + ": " + where + ".";
            case SKIPPED_CALL ->
                who + " skipped a call and " + was(many) + " out of step: " + instead + ", not " + wanted + ", in "
                        + where + ".";
            case EXTRA_CALL -> who + " made an extra call, " + instead + ", before " + wanted + " in " + where + ".";
            case SWAPPED_CALLS ->
                who + " swapped two calls: " + instead + " came before " + wanted + " in " + where + ".";
            case OTHER_GROUP ->
                who + " called " + instead + " in the wrong process group: the others wait in " + wanted + ", " + where
                        + ".";
            case OTHER_ORDER ->
                who + " called " + instead + " out of order: the others wait in " + wanted + ", " + where + ".";
            case UNMATCHED_SEND ->
                "A send has no receiver: " + Group.ranks(v.culprits()) + " went on to " + instead + " without it.";
            case UNMATCHED_RECEIVE ->
                "A receive has no sender: " + Group.ranks(v.culprits()) + " went on to " + instead
                        + " without the send.";
            case NEVER_ARRIVED -> who + " never called " + wanted + ": " + where + ".";
            case STUCK_ON_DEVICE ->
                who + " " + was(many) + " stuck on the device: " + wanted + " does not " + "complete there, " + where
                        + ".";
            case COLLECTIVE_STUCK ->
                "All members called " + wanted + " and none completed it: " + where
                        + ". The network or the kernel is stuck, or the dump was taken too early.";
            case CIRCULAR_WAIT ->
                who + " wait for each other in a circle: " + wanted + " in "
                        + v.wanted().group() + ", " + instead + " in "
                        + (v.instead() == null ? "" : v.instead().group()) + ".";
            case NO_DUMP ->
                many
                        ? "The job waits for one of " + Group.ranks(v.culprits()) + ", which left no dump: " + wanted
                                + ", " + where + "."
                        : who + " left no dump, and the others wait for it: " + wanted + ", " + where
                                + ". It died, or its dump is missing.";
        };
    }

    private static String was(boolean many) {
        return many ? "are" : "is";
    }

    /** Where the calls came from, as far as that was recorded. */
    static String places(HangVerdict v) {
        StringBuilder out = new StringBuilder();
        Made instead = v.instead();
        if (instead != null && !instead.place().isEmpty()) {
            String did = switch (v.kind()) {
                case NEVER_ARRIVED -> " last called " + instead.call() + " at ";
                default -> " called it at ";
            };
            out.append(" Rank ")
                    .append(instead.rank())
                    .append(did)
                    .append(instead.place())
                    .append('.');
        }
        if (!v.wanted().place().isEmpty()) {
            out.append(" Rank ")
                    .append(v.wanted().rank())
                    .append(" waits at ")
                    .append(v.wanted().place())
                    .append('.');
        }
        return out.toString();
    }

    private static String place(HangVerdict v) {
        return String.format(
                Locale.ROOT,
                "%s %,d of %s",
                v.message() ? "message" : "operation",
                v.sequence(),
                v.group().words());
    }
}
