// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What printed lines are shown on. Pipes and files are no terminals: what goes there has always the same width and no colours.
 *
 * @param isTerminal whether somebody looks
 * @param width how many characters a line may have
 * @param isColoured whether colours are shown
 * @param isUnicode whether signs beyond ASCII are shown as what they are
 */
public record Screen(boolean isTerminal, int width, boolean isColoured, boolean isUnicode) {
    /** How colours stress parts of a line. */
    public enum Paint {
        /** Headings. */
        BOLD("1"),
        /** What matters less. */
        DIM("2"),
        /** What is worse, wrong or a problem. */
        WORSE("31"),
        /** What is better. */
        BETTER("36"),
        /** What deserves a look. */
        NOTICE("33"),
        /** Computation. */
        COMPUTE("34"),
        /** Communication. */
        COMMUNICATION("33");

        private final String code;

        Paint(String code) {
            this.code = code;
        }
    }

    /** When lines are coloured. */
    public enum Colouring {
        /** On terminals that do not say otherwise. */
        AUTO,
        /** Everywhere. */
        ALWAYS,
        /** Nowhere. */
        NEVER
    }

    /** Standard output and standard error, as processes number them. */
    static final int OUT = 1;

    static final int ERR = 2;

    private static final int NARROWEST = 60;
    private static final int WIDEST = 120;
    private static final Screen PIPE = new Screen(false, 100, false, true);

    /** What a command's writer is shown on. */
    public static Screen of(PrintWriter to) {
        return to instanceof ConsoleLines lines ? lines.screen() : PIPE;
    }

    /** Whether somebody looks at what the process prints to {@link #ERR}. */
    public static boolean isErrorShown() {
        return isTerminal(ERR);
    }

    /** A pipe or a file. */
    static Screen pipe() {
        return PIPE;
    }

    /**
     * Where this process prints to.
     *
     * @param descriptor {@link #OUT} or {@link #ERR}
     */
    static Screen ofProcess(int descriptor) {
        boolean terminal = isTerminal(descriptor);
        return of(terminal, Integer.getInteger("lockstep.columns", 0), System.getenv());
    }

    /**
     * @param columns of the terminal, 0 where they are not known
     * @param environment the variables by which people say what their terminals show
     */
    static Screen of(boolean terminal, int columns, Map<String, String> environment) {
        boolean forced = isOn(environment.get("CLICOLOR_FORCE"));
        boolean refused = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || "0".equals(environment.get("CLICOLOR"))
                || "dumb".equals(environment.get("TERM"));
        boolean coloured = environment.getOrDefault("NO_COLOR", "").isEmpty() && forced || terminal && !refused;
        if (!terminal) {
            return new Screen(false, PIPE.width, coloured, true);
        }
        int width = columns > 0 ? columns : number(environment.getOrDefault("COLUMNS", ""));
        return new Screen(
                true, width <= 0 ? PIPE.width : Math.clamp(width, NARROWEST, WIDEST), coloured, isUnicode(environment));
    }

    private static boolean isOn(@Nullable String value) {
        return value != null && !value.isEmpty() && !value.equals("0");
    }

    private static boolean isUnicode(Map<String, String> environment) {
        for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
            String value = environment.getOrDefault(name, "");
            if (!value.isEmpty()) {
                return value.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8");
            }
        }
        return false;
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    }

    /** What the launcher saw, since Java tells it of standard input and output together alone. */
    private static boolean isTerminal(int descriptor) {
        String seen = System.getProperty("lockstep.terminals");
        if (seen != null) {
            return seen.contains(Integer.toString(descriptor));
        }
        @SuppressWarnings("SystemConsoleNull") // some still return null where there is no terminal
        Console console = System.console();
        return descriptor == OUT && console != null && console.isTerminal();
    }

    /** The same with colours as they were asked for. */
    Screen coloured(Colouring when) {
        return switch (when) {
            case AUTO -> this;
            case ALWAYS -> new Screen(isTerminal, width, true, isUnicode);
            case NEVER -> new Screen(isTerminal, width, false, isUnicode);
        };
    }

    /** The text in colour where colours are shown; to be printed as it is, after what is foreign in it was made safe. */
    public String paint(Paint paint, String text) {
        return isColoured ? "\u001b[" + paint.code + "m" + text + "\u001b[0m" : text;
    }

    /** The text in this many characters at most, without its middle where it is longer. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int head = longest / 2;
        return text.substring(0, head) + "…" + text.substring(text.length() - (longest - 1 - head));
    }

    /** The text in lines of this screen's width, broken at spaces; the first begins with the mark, others are indented like it. */
    public List<String> wrapped(String mark, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(mark);
        for (String word : text.split(" ")) {
            if (line.length() > mark.length() && line.length() + word.length() >= width) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(mark.length()));
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }
}
