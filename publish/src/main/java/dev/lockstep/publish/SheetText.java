// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.write.Unicode;
import java.util.Locale;
import java.util.Set;

/** Text as a workbook can hold it. */
final class SheetText {
    /** Characters of a cell, as spreadsheets count them: UTF-16 units. */
    static final int LONGEST_CELL = 32_767;

    private static final int LONGEST_NAME = 31;

    private SheetText() {}

    /**
     * The text of a cell: characters that XML forbids become U+FFFD, {@code _x0041_}, which spreadsheets would read as an
     * escaped character, is escaped itself, and what is too long is cut with a mark.
     */
    static String cell(String text) {
        // Cut first: what follows costs time for every character. Both steps may only lengthen the text.
        String head = text.length() > LONGEST_CELL ? Unicode.head(text, LONGEST_CELL) : text;
        String sound = escaped(head);
        if (sound.length() <= LONGEST_CELL && head.length() == text.length()) {
            return sound;
        }
        String mark = "… [cut; " + text.length() + " characters]";
        return Unicode.head(sound, LONGEST_CELL - mark.length()) + mark;
    }

    /** A sheet's name: at most 31 characters, none of those that spreadsheets forbid, different from all before it. */
    static String name(String wanted, Set<String> taken) {
        String safe = escaped(Unicode.head(wanted, 4 * LONGEST_NAME))
                .replaceAll("[\\[\\]:*?/\\\\\\p{Cntrl}]", "_")
                .strip();
        safe = Unicode.head(safe, LONGEST_NAME).replaceAll("^'|'$", "_");
        if (safe.isEmpty() || safe.equalsIgnoreCase("History")) {
            safe = safe + "_";
        }
        String name = safe;
        for (int n = 2; !taken.add(name.toLowerCase(Locale.ROOT)); n++) {
            String suffix = " (" + n + ")";
            name = Unicode.head(safe, LONGEST_NAME - suffix.length()) + suffix;
        }
        return name;
    }

    private static String escaped(String text) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean escape = c == '_' && isEscape(text, i);
            boolean forbidden = (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\ufffe' || c == '\uffff';
            if (out == null && (escape || forbidden)) {
                out = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (out != null) {
                out.append(escape ? "_x005F_" : forbidden ? Unicode.REPLACEMENT : c);
            }
        }
        return Unicode.wellFormed(out == null ? text : out.toString());
    }

    /** The text that stands in a cell: {@code _xHHHH_} is the character with this number. */
    static String unescaped(String cell) {
        int at = cell.indexOf("_x");
        if (at < 0) {
            return cell;
        }
        StringBuilder out = new StringBuilder(cell.length());
        int from = 0;
        for (; at >= 0; at = cell.indexOf("_x", at)) {
            if (isEscape(cell, at)) {
                out.append(cell, from, at).append((char) Integer.parseInt(cell.substring(at + 2, at + 6), 16));
                at += 7;
                from = at;
            } else {
                at++;
            }
        }
        return out.append(cell, from, cell.length()).toString();
    }

    /** Whether {@code _xHHHH_} starts here. */
    private static boolean isEscape(String text, int i) {
        if (i + 6 >= text.length() || text.charAt(i + 1) != 'x' || text.charAt(i + 6) != '_') {
            return false;
        }
        for (int k = i + 2; k < i + 6; k++) {
            if (Character.digit(text.charAt(k), 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
