// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainArraysTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[[]]",
                "[1]",
                "[ [1, -2],[ ],[\"a\", \"\"] ]",
                "[[[1,2],[3]],\"c10::Half\"]",
                "[123456789012345678]"
            })
    void plainArraysAreReadAtOnce(String json) {
        List<Value> plain = PlainArrays.read(json);
        assertThat(plain).isNotNull();
        String spelt = Value.list(plain).json();
        assertThat(spelt.replace(" ", "")).isEqualTo(json.replace(" ", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "[",
                "[1",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1]]",
                "[\"a]",
                "[1.5]",
                "[1e3]",
                "[true]",
                "[null]",
                "[{}]",
                "[\"a\\\"b\"]",
                "[-]",
                "[1234567890123456789]",
                "[[1][2]]"
            })
    void everythingElseIsLeftToAParser(String text) {
        assertThat(PlainArrays.read(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1.5, true, null, \"a\\\"b\", {\"x\": [1]}, [1e3]]"})
    void whichReadsIt(String json) {
        assertThat(Value.list(java.util.Objects.requireNonNull(ArgumentText.elements(json)))
                        .json())
                .isEqualTo("[1.5, true, null, \"a\\\"b\", null, [1000.0]]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1", "[1,]", "{}", "x"})
    void brokenTextsAreAsGoodAsNone(String text) {
        assertThat(ArgumentText.elements(text)).isNull();
    }
}
