// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Numbers in sentences. */
public final class Words {
    private static final int LONGEST_NAME = 80;
    private static final double ALMOST_WHOLE = 99.5;
    private static final double LARGEST_PART = 99.9;
    private static final double LARGEST = 1023.5; // rounds to less than a whole unit more

    /** File, line and function of a frame of Python. */
    private static final Pattern FRAME = Pattern.compile("\\.pyx?\\(\\d+\\): ");

    private static final Map<String, String> PARTS = Map.of(
            "computation_time", "computation",
            "exposed_comm_time", "exposed communication",
            "exposed_memcpy_time", "exposed copies",
            "exposed_other_time", "other activity",
            "idle_time", "idle time",
            "micro_idle_time", "short idle gaps",
            "macro_idle_time", "long idle gaps",
            "not told apart", "unattributed time");

    private Words() {}

    /** A time in ns, in the unit that fits, with three digits. */
    public static String time(long ns) {
        double value = ns;
        for (String unit : new String[] {"ns", "µs", "ms"}) {
            if (Math.abs(value) < 1000) {
                return number(value) + " " + unit;
            }
            value /= 1000;
        }
        return number(value) + " s";
    }

    /** A share of a whole in percent: without decimals from 10 % on, else with one; what is not quite the whole is below 100 %. */
    public static String share(long part, long whole) {
        double value = whole == 0 ? 0 : 100.0 * part / whole;
        if (part < whole && value >= ALMOST_WHOLE) {
            return String.format(Locale.ROOT, "%.1f %%", Math.min(value, LARGEST_PART));
        }
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, "%." + (size >= 9.95 || size == 0 ? 0 : size >= 0.095 ? 1 : 2) + "f %%", value);
    }

    /** A number of bytes, in the unit that fits, with three digits. */
    public static String bytes(long bytes) {
        double value = bytes;
        for (String unit : new String[] {"bytes", "KiB", "MiB", "GiB"}) {
            if (Math.abs(value) < LARGEST) {
                return number(value) + " " + unit;
            }
            value /= 1024;
        }
        return number(value) + " TiB";
    }

    public static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    /** A number of things. */
    public static String count(long n, String one, String many) {
        return count(n) + " " + (n == 1 ? one : many);
    }

    /** What people call a part of a timeline; its own name where they have none. */
    public static String part(String type) {
        return PARTS.getOrDefault(type, type);
    }

    /** A name, cut where it is long: at its end, but a frame of Python at its front, since its file and line tell most. */
    public static String name(String name) {
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        if (!FRAME.matcher(name).find()) {
            return name.substring(0, LONGEST_NAME - 1) + "…";
        }
        int from = name.length() - LONGEST_NAME + 1;
        int folder = name.indexOf('/', from);
        return "…" + name.substring(folder < 0 ? from : folder);
    }

    private static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** A text with a capital first letter, as a sentence begins. */
    public static String capitalized(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
