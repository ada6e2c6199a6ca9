// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.clocks.Clocks;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code unaligned_clocks}: nothing ties the clocks of some ranks to those of the others. */
final class UnalignedClocks implements RunDoubt {
    @Override
    public @Nullable Reason of(RunFacts run) {
        Clocks clocks = run.clocks();
        if (IntStream.range(0, clocks.size()).allMatch(run::isCompared)) {
            return null;
        }
        List<Integer> untied = IntStream.range(0, clocks.size())
                .filter(place -> !clocks.isTied(place))
                .mapToObj(run.ranks()::get)
                .toList();
        EnumSet<Topic> withheld = EnumSet.of(Topic.ACROSS);
        if (!clocks.isAny()) {
            withheld.addAll(EnumSet.of(Topic.WAITING, Topic.LATENESS));
        }
        return new Reason(
                "unaligned_clocks",
                untied.size(),
                clocks.size(),
                (double) untied.size() / clocks.size(),
                "No collective or message ties the clocks of "
                        + (clocks.isAny()
                                ? RunTrust.ranks(untied) + " to those of the others."
                                : "the " + Words.count(clocks.size()) + " ranks.")
                        + " Who waited for whom is unknown there.",
                withheld,
                "Record collectives with their process groups, or messages with both ranks.");
    }
}
