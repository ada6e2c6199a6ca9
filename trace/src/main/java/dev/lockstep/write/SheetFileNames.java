// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.util.Locale;
import java.util.Set;

/** Names of the files that sheets are written into, one for each. */
public final class SheetFileNames {
    private static final int LONGEST_NAME = 200;

    private SheetFileNames() {}

    /**
     * The sheet's name, as every file system takes it; a number tells sheets apart that would share a file.
     *
     * @param ending of the file, with its dot
     * @param taken names that are used, in lower case and without their ending; this one is added
     */
    public static String of(String sheet, String ending, Set<String> taken) {
        StringBuilder safe = new StringBuilder(Unicode.head(Unicode.wellFormed(sheet), LONGEST_NAME));
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
