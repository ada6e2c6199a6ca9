// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenPatternTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gemm",
                "gemm|mm",
                "^k_",
                "_nt$",
                "(?i)GEMM",
                "(?x) g e m m # a remark",
                "(?x)gemm#|mm",
                "\\Qge\\E",
                ".*",
                "^$",
                "(g)\\1",
                "(?<!g)emm",
                "\\bmm",
                "gemm{1,2}",
                "[gm]{4}",
                "gem+(?=m)",
                "|",
                "x||",
                "{2}"
            })
    void itSaysWhatTheRegularExpressionSays(String regex) {
        GivenPattern given = GivenPattern.of(regex, "here");
        for (String text : new String[] {"", "gemm", "mm", "GEMM", "k_gemm_nt", "gg", "e", "\n", "gemm\n"}) {
            assertThat(given.isIn(text))
                    .as(text)
                    .isEqualTo(Pattern.compile(regex).matcher(text).find());
            assertThat(given.matches(text))
                    .as(text)
                    .isEqualTo(Pattern.compile(regex).matcher(text).matches());
        }
        assertThat(given).hasToString(regex);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*a", "+", "?", "(", "a)", "[", "a**", "\\"})
    void whatIsNoneIsRefused(String regex) {
        assertThatThrownBy(() -> GivenPattern.of(regex, "here")).isInstanceOf(PatternSyntaxException.class);
    }

    @Test
    void whatWouldNotEndIsSaid() {
        GivenPattern given = new GivenPattern("(.*a){25}b", "rules.txt, line 3", 1 << 24);

        assertThat(given.isIn("ab")).isFalse();
        assertThatThrownBy(() -> given.isIn("a".repeat(8_192)))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(
                        "rules.txt, line 3: the regular expression '(.*a){25}b' takes too long on 'aaa", "…'");
    }

    @Test
    void whatTheStackDoesNotSufficeForIsSaid() {
        GivenPattern given = GivenPattern.of("(a|b)*c", "rules.txt, line 3");

        assertThat(given.isIn("abc")).isTrue();
        assertThatThrownBy(() -> given.isIn("ab".repeat(1 << 20)))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("'(a|b)*c' goes too deep in 'abab");
    }

    /** For each of its characters once, and for names of thousands of them. */
    @Test
    void whatPeopleWriteIsFoundInLongNames() {
        String name = "void cutlass::Kernel<" + "cutlass::gemm, ".repeat(545) + ">";

        assertThat(name.length()).isGreaterThan(8_192);
        assertThat(GivenPattern.of(".*conv.*", "here").isIn(name)).isFalse();
        assertThat(GivenPattern.of(".*gemm.*conv|.*, >$", "here").isIn(name)).isTrue();
    }

    /** Preparing to search for it would take minutes. */
    @Test
    void longTextsArePatterns() {
        assertThat(GivenPattern.of("x".repeat(1 << 20), "here").isIn("gemm")).isFalse();
    }
}
