// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.session.Session;

/** The options that every command has; {@link Arguments#global()} declares them. */
public final class GlobalOptions {
    boolean quiet;
    Screen.Colouring colouring = Screen.Colouring.AUTO;
    boolean debug;
    boolean strict;
    boolean allowPartial;
    int jobs = Runtime.getRuntime().availableProcessors();

    /** The options before any is given. */
    public GlobalOptions() {}

    /** Whether results alone shall be printed. */
    public boolean quiet() {
        return quiet;
    }

    /** Whether any damage in an input is a failure. */
    public boolean strict() {
        return strict;
    }

    /** Whether what is missing was accepted beforehand. */
    public boolean allowPartial() {
        return allowPartial;
    }

    /** Number of worker threads, at least one and no more than a session starts. */
    public int jobs() {
        return Math.min(jobs, Session.MOST_JOBS);
    }

    /** The status of a run that is whole or not; {@code --allow-partial} accepts what is not. */
    public int status(boolean complete) {
        return complete || allowPartial ? ExitStatus.COMPLETE : ExitStatus.PARTIAL;
    }
}
