// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.Tone;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The colours of series in charts of workbooks: those that pages give to the same names in light ({@code report.js}). */
final class SeriesColour {
    private static final Tone[] HUES = {Tone.ATTENTION, Tone.CONVOLUTION, Tone.NORMALIZATION, Tone.ELEMENTWISE};
    private static final Pattern NUMBERED = Pattern.compile("(\\d{1,9})$");

    private SeriesColour() {}

    /** Red, green and blue of a name's colour, in hexadecimal digits. */
    static String of(String title) {
        Tone tone = Tone.of(title);
        return (tone == null ? hue(Tone.plain(title)) : tone).light();
    }

    /** What has no tone gets a hue by its number, else by its name. */
    private static Tone hue(String name) {
        Matcher number = NUMBERED.matcher(name);
        int hash = hash(name);
        long look = number.find() ? Long.parseLong(number.group(1)) : Integer.toUnsignedLong(hash ^ (hash >>> 16));
        return HUES[(int) (look % HUES.length)];
    }

    /** 32 bits of FNV-1a. */
    private static int hash(String text) {
        int hash = 0x811c9dc5;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        return hash;
    }
}
