// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

/** Texts as JSON. */
public final class JsonTexts {
    private JsonTexts() {}

    /** The text in quotes, with what JSON wants escaped. */
    public static String quoted(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 0xF, 16));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
