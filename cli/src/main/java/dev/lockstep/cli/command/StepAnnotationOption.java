// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import java.util.function.Consumer;

/** The option {@code --step-annotation}: what marks steps where the profiler does not. */
final class StepAnnotationOption {
    private StepAnnotationOption() {}

    static void declare(Arguments arguments, Consumer<String> given) {
        arguments.option(
                "--step-annotation",
                "NAME",
                String.class,
                "Annotations called NAME mark steps, * matches anything (default: the trace's step " + "marks).",
                given);
    }
}
