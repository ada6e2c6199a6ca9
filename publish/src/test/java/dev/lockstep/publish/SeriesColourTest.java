// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Tone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SeriesColourTest {
    private static final Path PAGE =
            Path.of("").toAbsolutePath().resolveSibling("tables/src/main/resources/dev/lockstep/write");

    /** Tones have in workbooks the colours that pages give them in light. */
    @Test
    void coloursAreThoseOfPages() throws IOException {
        Map<String, String> colours = new HashMap<>();
        Matcher colour =
                Pattern.compile("--([a-z]+): #([0-9a-f]{6});").matcher(Files.readString(PAGE.resolve("report.css")));
        while (colour.find()) {
            colours.putIfAbsent(colour.group(1), colour.group(2).toUpperCase(Locale.ROOT)); // the light ones come first
        }
        for (Tone tone : Tone.values()) {
            assertThat(colours).containsEntry(tone.variable().substring(2), tone.light());
        }
    }

    @Test
    void aNameHasTheColourOfItsToneElseAHueOfItsOwn() {
        assertThat(SeriesColour.of("Exposed communication")).isEqualTo(Tone.COMMUNICATION.light());
        assertThat(SeriesColour.of("rank 4")).isEqualTo(Tone.ATTENTION.light());
        assertThat(SeriesColour.of("rank 5")).isEqualTo(Tone.CONVOLUTION.light());
    }
}
