// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.codec.Glob;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What names of trace files say besides the rank: the step, and when the trace was taken. */
public final class TraceNames {
    /** {@code step_12}, {@code step12}, {@code iter-12}, {@code ProfilerStep#12}. */
    private static final Pattern STEP =
            Pattern.compile("(?:step|iter|iteration)[-_ .#]{0,2}(\\d{1,9})(?!\\d)", Pattern.CASE_INSENSITIVE);

    /** Times since 1970 as profilers put them into names, in seconds to nanoseconds. */
    private static final Pattern STAMP = Pattern.compile("(?<!\\d)(\\d{9,18})(?!\\d)");

    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final int WIDEST_NUMBER = 20;

    private TraceNames() {}

    /** The step in the path: in the file's name, else in the nearest directory that has one; -1 for none. */
    public static long stepOf(Path path) {
        for (Path p = path; p != null && p.getFileName() != null; p = p.getParent()) {
            long step = last(STEP, p.getFileName().toString());
            if (step >= 0) {
                return step;
            }
        }
        return -1;
    }

    /** Whether NAME is the file's name, a part of it, or a pattern that it matches. */
    public static boolean matches(Path path, String name) {
        String file = String.valueOf(path.getFileName());
        if (name.indexOf('*') < 0 && name.indexOf('?') < 0) {
            return file.contains(name);
        }
        return new Glob(name).matches(file);
    }

    /** Earlier traces of a rank before later ones: by step, by the time in the name, by name with numbers in order. */
    public static Comparator<Path> byAge() {
        return Comparator.comparingLong(TraceNames::stepOf)
                .thenComparingLong(path -> last(STAMP, String.valueOf(path.getFileName())))
                .thenComparing(path -> natural(path.toString()));
    }

    /** A text by which names sort as people expect: {@code rank2} before {@code rank10}. */
    public static String natural(String name) {
        Matcher matcher = DIGITS.matcher(name.toLowerCase(Locale.ROOT));
        return matcher.replaceAll(found ->
                        "0".repeat(Math.max(0, WIDEST_NUMBER - found.group().length())) + found.group())
                + '\0'
                + name;
    }

    private static long last(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        long found = -1;
        while (matcher.find()) {
            found = Long.parseLong(matcher.group(1));
        }
        return found;
    }
}
