// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** What a run says, line by line, each at a level. Confined to one thread. */
public final class AiuLog {
    /** Levels, the gravest first. */
    public enum Level {
        ERROR,
        WARNING,
        INFO,
        DEBUG,
        TRACE
    }

    private static final int KEPT = 1000;

    private final Level shown;
    private final BiConsumer<Level, String> lines;
    private final List<String> problems = new ArrayList<>();
    private long problemCount;

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

    /** The first errors and warnings, at most {@value #KEPT}, whether they are shown or not. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** How many errors and warnings there were. */
    public long problemCount() {
        return problemCount;
    }

    /** Says a line at a level that depends on what it reports. */
    public void say(Level level, String line) {
        if (level.compareTo(Level.WARNING) <= 0 && problemCount++ < KEPT) {
            problems.add(line);
        }
        if (shows(level)) {
            lines.accept(level, line);
        }
    }
}
