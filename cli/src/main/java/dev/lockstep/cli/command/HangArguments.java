// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.synth.HangFault;
import dev.lockstep.synth.HangRecipe;
import dev.lockstep.synth.InspectorFault;
import dev.lockstep.synth.InspectorRecipe;
import org.jspecify.annotations.Nullable;

/** The options of jobs of which something else than traces is made: dumps of one that hangs, logs of its communication. */
final class HangArguments {
    private static final int ENTRIES = 2000;
    private static final int MOST_ENTRIES = 1_000_000;
    private static final double LOSS = 0.1;

    private @Nullable HangFault fault;
    private int entries = ENTRIES;
    private double missing;
    private boolean mixed;
    private @Nullable InspectorFault link;
    private double loss = LOSS;
    private double dropped;

    void declare(Arguments arguments) {
        arguments.option(
                "--hang",
                "KIND",
                String.class,
                "Make dumps of a job that hangs instead of traces, as in absent, skipped, other-size, dead; none: one"
                        + " that ends.",
                given -> fault = HangFault.of(given));
        arguments.number(
                "--entries",
                "N",
                100,
                "With --hang: calls that a ring buffer holds (default 2000).",
                given -> entries = Math.min(given, MOST_ENTRIES));
        arguments.option(
                "--missing",
                "SHARE",
                Double.class,
                "With --hang: so many ranks without a fault leave no dump, 0 to 0.5 (default 0).",
                given -> missing = given);
        arguments.flag("--mixed", "With --hang: versions and formats differ between ranks.", () -> mixed = true);
        arguments.option(
                "--inspector",
                "KIND",
                String.class,
                "Make logs of NCCL's Inspector instead of traces, as in slow-link, slow-nic, slow-node, late-rank; none:"
                        + " of sound links.",
                given -> link = InspectorFault.of(given));
        arguments.option(
                "--loss",
                "SHARE",
                Double.class,
                "With --inspector: what a slow link lacks of its bandwidth, 0 to 0.9 (default 0.1).",
                given -> loss = given);
        arguments.option(
                "--dropped",
                "SHARE",
                Double.class,
                "With --inspector: so many records are lost, 0 to 0.5 (default 0).",
                given -> dropped = given);
    }

    /** The job; null where none shall hang. */
    @Nullable
    HangRecipe recipe(RecipeArguments job) {
        return fault == null ? null : job.hang(fault, entries, missing, mixed);
    }

    /** The job whose links are recorded; null where traces are made. */
    @Nullable
    InspectorRecipe links(RecipeArguments job) {
        return link == null ? null : job.inspector(link, loss, dropped);
    }
}
