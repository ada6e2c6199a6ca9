// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.synth.HangFault;
import dev.lockstep.synth.HangRecipe;
import org.jspecify.annotations.Nullable;

/** The options of jobs that hang, of which dumps are made. */
final class HangArguments {
    private static final int ENTRIES = 2000;
    private static final int MOST_ENTRIES = 1_000_000;

    private @Nullable HangFault fault;
    private int entries = ENTRIES;
    private double missing;
    private boolean mixed;

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
    }

    /** The job; null where none shall hang. */
    @Nullable
    HangRecipe recipe(RecipeArguments job) {
        return fault == null ? null : job.hang(fault, entries, missing, mixed);
    }
}
