// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonLiteralTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]                              | ()                                 | []",
                "[1]                             | (1,)                               | [1]",
                "[[32, 64], []]                  | ((32, 64), ())                     | [[32, 64], []]",
                "[[[1]], [2]]                    | (((1,),), (2,))                    | [[[1]], [2]]",
                "[[], [[]]]                      | ((), ((),))                        | [[], [[]]]",
                "[\"\", \"Scalar\"]              | ('', 'Scalar')                     | ['', 'Scalar']",
                "[{\"a\": [1, 2], \"b\": null}]  | ({'a': (1, 2), 'b': None},)        | [{'a': [1, 2], 'b': None}]",
                "{\"a\": {}, \"b\": [3]}         | {'a': {}, 'b': (3,)}               | {'a': {}, 'b': [3]}",
                "{}                              | {}                                 | {}",
                "[true, false, null]             | (True, False, None)                | [True, False, None]",
                "[1.0, 1e5, 0.00001, 1e16, -0.0] | (1.0, 100000.0, 1e-05, 1e+16, -0.0)| [1.0, 100000.0, 1e-05, 1e+16, -0.0]",
                "[18446744073709551616]          | (18446744073709551616,)            | [18446744073709551616]",
                "\"text\"                        | 'text'                             | 'text'",
                "12                              | 12                                 | 12",
            })
    void structuresAreSpeltAsInPython(String json, String tuples, String lists) {
        assertThat(PythonLiteral.of(json, true)).isEqualTo(tuples);
        assertThat(PythonLiteral.of(json, false)).isEqualTo(lists);
    }

    @Test
    void quotesAreChosenAsByRepr() {
        assertThat(PythonLiteral.text("plain")).isEqualTo("'plain'");
        assertThat(PythonLiteral.text("it's")).isEqualTo("\"it's\"");
        assertThat(PythonLiteral.text("say \"no\"")).isEqualTo("'say \"no\"'");
        assertThat(PythonLiteral.text("it's \"both\"")).isEqualTo("'it\\'s \"both\"'");
    }

    @Test
    void whatCannotBePrintedIsEscaped() {
        assertThat(PythonLiteral.text("a\\b\tc\nd\re")).isEqualTo("'a\\\\b\\tc\\nd\\re'");
        assertThat(PythonLiteral.text("\0\u001b\u007f\u0085\u00a0\u00ad"))
                .isEqualTo("'\\x00\\x1b\\x7f\\x85\\xa0\\xad'");
        assertThat(PythonLiteral.text("\u202e\u2028\ud800")).isEqualTo("'\\u202e\\u2028\\ud800'");
        assertThat(PythonLiteral.text("\udb40\udc01")).isEqualTo("'\\U000e0001'");
        assertThat(PythonLiteral.text("µs 日本 😀")).isEqualTo("'µs 日本 😀'");
    }

    @Test
    void whatIsNoJsonBecomesText() {
        assertThat(PythonLiteral.of("[1, 2", true)).isEqualTo("'[1, 2'");
        assertThat(PythonLiteral.of("it's", true)).isEqualTo("\"it's\"");
    }

    @Test
    void depthIsNoLimit() {
        String deep = "[".repeat(200_000) + "]".repeat(200_000);

        assertThat(PythonLiteral.of(deep, false)).isEqualTo(deep);
        assertThat(PythonLiteral.of(deep, true))
                .startsWith("((((")
                .endsWith(",),),)")
                .hasSize(400_000 + 199_999);
    }
}
