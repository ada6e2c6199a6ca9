// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** {@code unpaired_messages}: kernels that send or receive, and of which the other side is not known. */
final class UnpairedMessages implements RunDoubt {
    @Override
    public @Nullable Reason of(MatchedRanks run) {
        CollectiveMatch match = run.collectives().match();
        long kernels = 0;
        long messages = 0;
        long unpaired = 0;
        for (int i = 0; i < match.size(); i++) {
            CollectiveKind kind = match.call(i).kind();
            int members = match.members(i);
            kernels += members;
            if (kind.pointToPoint() || kind == CollectiveKind.SEND_RECEIVE) {
                messages += members;
                unpaired += match.groups().get(match.group(i)).isPair() && members == 2 ? 0 : members;
            }
        }
        if (unpaired == 0) {
            return null;
        }
        return new Reason(
                "unpaired_messages",
                unpaired,
                messages,
                (double) unpaired / kernels,
                Words.count(unpaired) + " of "
                        + Words.count(
                                messages, "kernel that sends or receives has", "kernels that send or receive have")
                        + " no partner. How long they waited is unknown.",
                EnumSet.of(Topic.WAITING, Topic.LATENESS, Topic.ACTIONS),
                "Record all ranks, with the process groups and ranks of messages.");
    }
}
