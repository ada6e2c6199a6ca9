// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The training run of the AOT cache: the launcher starts it once after a build, and the JVM keeps the classes that it
 * loads and what it learned about hot methods. What users start often belongs into {@link #RUNS}.
 */
public final class AotTraining {
    private static final List<List<String>> RUNS = List.of(List.of("--help"), List.of("version"), List.of("nonsense"));

    private AotTraining() {}

    /** Runs {@link #RUNS} in this process and drops their output; a training run that fails costs speed, nothing else. */
    public static void main(String[] args) {
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        for (List<String> run : RUNS) {
            Main.run(nowhere, nowhere, run.toArray(String[]::new));
        }
    }
}
