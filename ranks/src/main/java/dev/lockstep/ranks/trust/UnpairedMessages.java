// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** {@code unpaired_messages}: kernels that send or receive, and of which the other side is not known. */
final class UnpairedMessages implements RunDoubt {
    @Override
    public @Nullable Reason of(RunFacts run) {
        long kernels = run.counts().kernels();
        long messages = run.counts().messages();
        long unpaired = run.counts().unpaired();
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
