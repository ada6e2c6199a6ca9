// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Command lines as a shell reads them. */
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellText() {}

    /**
     * Words as a command line.
     *
     * @param words the program and its arguments
     * @return the words, quoted where needed, with spaces between them
     */
    public static String line(List<String> words) {
        return words.stream().map(ShellText::word).collect(Collectors.joining(" "));
    }

    /**
     * A word as it stands in a command line that may be copied into a shell: nothing in it is run or split there.
     *
     * @param word any text, such as the name of a file
     * @return the word itself where a shell takes it as it is, else in quotes
     */
    public static String word(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** {@code KEY=VALUE}, the value quoted where needed. */
    static String assignment(String key, String value) {
        return key + "=" + (value.isEmpty() ? "" : word(value));
    }
}
