// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SeriesColourTest {
    private static final Path PAGE =
            Path.of("").toAbsolutePath().resolveSibling("trace/src/main/resources/dev/lockstep/write");

    /** Names mean on pages and in workbooks what they mean in the other, in the same order, in the same colours. */
    @Test
    void coloursAreThoseOfPages() throws IOException {
        Map<String, String> colours = new HashMap<>();
        Matcher colour =
                Pattern.compile("--([a-z]+): #([0-9a-f]{6});").matcher(Files.readString(PAGE.resolve("report.css")));
        while (colour.find()) {
            colours.putIfAbsent(colour.group(1), colour.group(2).toUpperCase(Locale.ROOT)); // the light ones come first
        }
        List<String> pages = new ArrayList<>();
        Matcher meaning =
                Pattern.compile("\\[/(.+)/, '--([a-z]+)'\\],").matcher(Files.readString(PAGE.resolve("report.js")));
        while (meaning.find()) {
            pages.add(meaning.group(1) + " " + colours.get(meaning.group(2)));
        }
        List<String> workbooks = new ArrayList<>();
        SeriesColour.MEANINGS.forEach((name, of) -> workbooks.add(name.pattern() + " " + of));
        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(workbooks).isEqualTo(pages);
    }
}
