// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.function.BiConsumer;

/** Lines for the console, by level. */
public final class AiuLog {
    /** Levels, the gravest first. */
    public enum Level {
        ERROR,
        WARNING,
        INFO,
        DEBUG,
        TRACE
    }

    private final Level shown;
    private final BiConsumer<Level, String> lines;

    /**
     * @param shown the last level that is shown
     * @param lines takes each line that is shown
     */
    public AiuLog(Level shown, BiConsumer<Level, String> lines) {
        this.shown = shown;
        this.lines = lines;
    }

    public boolean shows(Level level) {
        return level.compareTo(shown) <= 0;
    }

    public void error(String line) {
        say(Level.ERROR, line);
    }

    public void warn(String line) {
        say(Level.WARNING, line);
    }

    public void info(String line) {
        say(Level.INFO, line);
    }

    /** Says a line at a level that depends on what it reports. */
    public void say(Level level, String line) {
        if (shows(level)) {
            lines.accept(level, line);
        }
    }
}
