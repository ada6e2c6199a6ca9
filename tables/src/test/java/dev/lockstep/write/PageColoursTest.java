// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Tone;
import dev.lockstep.testkit.SampleReports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The colours of pages can be read, in light and in dark, and those for better and worse mean nothing else. */
class PageColoursTest {
    private static final Pattern TOKEN = Pattern.compile("--([a-z]+): (#[0-9a-f]{6});");
    private static final List<String> TEXTS = List.of("ink", "soft", "accent", "worse", "better", "notice", "info");
    private static final List<String> FILLS =
            List.of("compute", "communication", "memory", "attention", "convolution", "normalization", "elementwise");

    private static String css() throws IOException {
        try (InputStream in = Objects.requireNonNull(HtmlWriter.class.getResourceAsStream("report.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> tokens(String block) {
        Map<String, String> tokens = new TreeMap<>();
        Matcher matcher = TOKEN.matcher(block);
        while (matcher.find()) {
            tokens.put(matcher.group(1), matcher.group(2));
        }
        return tokens;
    }

    private static double luminance(String hex) {
        double sum = 0;
        double[] weights = {0.2126, 0.7152, 0.0722};
        for (int i = 0; i < weights.length; i++) {
            double value = Integer.parseInt(hex.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            sum += weights[i] * (value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static double contrast(Map<String, String> tokens, String one, String other) {
        double a = luminance(Objects.requireNonNull(tokens.get(one), one));
        double b = luminance(Objects.requireNonNull(tokens.get(other), other));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    @Test
    void textsAndFillsStandOut() throws IOException {
        String css = css();
        int dark = css.indexOf("prefers-color-scheme: dark");
        for (String block : List.of(css.substring(0, dark), css.substring(dark, css.indexOf("* {")))) {
            Map<String, String> tokens = tokens(block);
            for (String ground : List.of("paper", "panel", "raised", "hover")) {
                boolean raised = ground.equals("raised") || ground.equals("hover");
                for (String text : raised ? List.of("ink", "soft", "accent") : TEXTS) {
                    assertThat(contrast(tokens, text, ground))
                            .as("%s on %s", text, ground)
                            .isGreaterThanOrEqualTo(4.5);
                }
            }
            for (String fill : FILLS) {
                assertThat(contrast(tokens, fill, "paper")).as(fill).isGreaterThanOrEqualTo(3);
            }
        }
    }

    /** What stands beside one another on one chart is told apart by its colour. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "forward, backward, weights",
                "computation, communication, memory",
                "baseline, persistent, activation, gradient, workspace"
            })
    void partsOfAChartHaveColoursOfTheirOwn(String names) {
        assertThat(Arrays.stream(names.split(", ")).map(Tone::of))
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    /** The script takes what names mean from the one table, in its order. */
    @Test
    void pagesKnowTheMeaningsOfNames() throws IOException {
        String page = new String(HtmlWriter.served(SampleReports.everySection()), StandardCharsets.UTF_8);

        assertThat(page)
                .contains("const MEANINGS = " + HtmlWriter.meanings() + ";")
                .doesNotContain("Tone.MEANINGS");
        assertThat(HtmlWriter.meanings())
                .contains(
                        "    [/^forward$/, '--compute'],\n",
                        "    [/gemm|comput|matmul|matri|kernel|busy/, '--compute'],\n");
    }

    @Test
    void betterAndWorseStyleNothingElse() throws IOException {
        Matcher rules = Pattern.compile("([^{}]+)\\{([^{}]*)\\}").matcher(css());
        while (rules.find()) {
            if (rules.group(2).matches("(?s).*var\\(--(worse|better)\\).*")) {
                assertThat(rules.group(1).strip().lines().reduce((a, b) -> b).orElse(""))
                        .isIn(
                                ":root {",
                                ":root",
                                ".vector .more",
                                ".vector .less",
                                ".scale .ramp.both",
                                ".panel .better",
                                ".panel .worse");
            }
        }
    }
}
