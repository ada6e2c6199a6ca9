// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** How commands read an execution trace, and say what is wrong with it. */
final class ExecutionTraces {
    private final Diagnostics odd = new Diagnostics();
    private String name = "";

    /** Reads one; with {@code --strict}, damage is a failure. */
    ExecutionTrace read(TraceInput input, GlobalOptions global) throws IOException {
        name = input.name();
        ExecutionTrace read = ExecutionTraceReader.read(input, odd);
        if (global.strict() && !odd.problems().isEmpty()) {
            Entry first = odd.problems().getFirst();
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    input.name(),
                    first.position(),
                    first.message() + " (" + first.code() + ")",
                    "Without --strict the rest of the file is used.");
        }
        return read;
    }

    /** What is odd about the one that was read; nothing when none was. */
    Diagnostics odd() {
        return odd;
    }

    /** One line for each kind of damage and oddity. */
    void report(PrintWriter err) {
        for (Entry e : odd.problems()) {
            err.println(String.format(Locale.ROOT, "%s: %,d x %s: %s", name, e.count(), e.code(), e.message()));
        }
        for (Entry e : odd.observations()) {
            err.println(String.format(Locale.ROOT, "%s: %s", name, e.message()));
        }
    }
}
