// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;

/**
 * What the program says. In a line that is printed with its end, characters that a terminal obeys are made visible: names come
 * from traces and files. Results, which are data, and the program's own colours are written without that.
 */
final class ConsoleLines extends PrintWriter {
    /** What stands for signs of ours where only ASCII is shown. */
    private static final Map<String, String> SIGNS = Map.ofEntries(
            Map.entry("…", "..."),
            Map.entry("·", "-"),
            Map.entry("µ", "u"),
            Map.entry("×", "x"),
            Map.entry("−", "-"),
            Map.entry("–", "-"),
            Map.entry("→", "->"),
            Map.entry("≥", ">="),
            Map.entry("≤", "<="));

    private Screen screen;

    /**
     * @param flushes whether each line is shown at once
     * @param screen where the lines are shown
     */
    ConsoleLines(Writer to, boolean flushes, Screen screen) {
        super(to, flushes);
        this.screen = screen;
    }

    Screen screen() {
        return screen;
    }

    /** Colours lines from now on as they were asked for. */
    void colour(Screen.Colouring when) {
        screen = screen.coloured(when);
    }

    @Override
    public void write(String text, int from, int count) {
        if (screen.isUnicode()) {
            super.write(text, from, count);
            return;
        }
        String part = text.substring(from, from + count);
        for (Map.Entry<String, String> sign : SIGNS.entrySet()) {
            part = part.replace(sign.getKey(), sign.getValue());
        }
        super.write(part, 0, part.length());
    }

    @Override
    public void println(String line) {
        super.println(Unicode.lines(String.valueOf(line)));
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }
}
