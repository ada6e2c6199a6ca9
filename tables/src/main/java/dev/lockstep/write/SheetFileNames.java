// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Names of the files that sheets are written into, one for each. */
public final class SheetFileNames {
    /** In bytes: file systems take 255, with what stands before and behind. */
    private static final int LONGEST_NAME = 200;

    private SheetFileNames() {}

    /**
     * The sheet's name, as every file system takes it; a number tells sheets apart that would share a file.
     *
     * @param ending of the file, with its dot
     * @param taken names that are used, in lower case and without their ending; this one is added
     */
    public static String of(String sheet, String ending, Set<String> taken) {
        String head = Unicode.head(Unicode.wellFormed(sheet), LONGEST_NAME);
        while (head.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
            head = Unicode.head(head, head.length() - 1);
        }
        StringBuilder safe = new StringBuilder(head);
        for (int i = 0; i < safe.length(); i++) {
            char c = safe.charAt(i);
            if (c < ' ' || c == 0x7f || "/\\:*?\"<>|".indexOf(c) >= 0 || (c == '.' && i == 0)) {
                safe.setCharAt(i, '_');
            }
        }
        String stem = safe.isEmpty() ? "table" : safe.toString();
        String name = stem;
        for (int n = 2; !taken.add(name.toLowerCase(Locale.ROOT)); n++) {
            name = stem + "_" + n;
        }
        return name + ending;
    }
}
