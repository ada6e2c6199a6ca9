// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Command lines as a shell reads them. */
final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellText() {}

    static String line(List<String> words) {
        return words.stream().map(ShellText::word).collect(Collectors.joining(" "));
    }

    static String word(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** {@code KEY=VALUE}, the value quoted where needed. */
    static String assignment(String key, String value) {
        return key + "=" + (value.isEmpty() ? "" : word(value));
    }
}
