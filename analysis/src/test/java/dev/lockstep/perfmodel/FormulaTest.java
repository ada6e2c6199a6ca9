// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulaTest {
    private static final OpCall CALL =
            call("x::y", "[[2,3],[3,4],[],[[1,2],[3]]]", "['float','c10::Half','','']", "['','','[2, 0.5, True]','7']");

    private static Value value(String formula) throws NotModelled {
        Formula parsed = FormulaParser.parse(new FormulaText("f.json", 3, 10, formula), name -> -1);
        return parsed.in(new Scope(CALL, ModelRules.standard(), List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1 + 2 * 3                           | 7",
                "(1 + 2) * 3                         | 9",
                "7 // 2                              | 3",
                "-7 // 2                             | -4",
                "7 % 4 - -7 % 4                      | 2",
                "7 / 2                               | 3.5",
                "6 / 2                               | 3.0",
                "0.5 * 4                             | 2.0",
                "10 - 3 - 2                          | 5",
                // too large for 64 bits
                "9000000000 * 9000000000             | 8.1E19",
                "1 if 2 > 1 else 0                   | 1",
                "1 if false else 2 if false else 3   | 3",
                "1 < 2 and not (2 <= 1 or 1 != 1)    | true",
                "'a' == 'a'                          | true",
                "1 == 1.0                            | true",
                "none == none                        | true",
                "(1, 2, 'a')[-1]                     | \"a\"",
                "(1, 2, 3)[1:]                       | [2, 3]",
                "[1, 2, 3][:-1]                      | [1, 2]",
                "()                                  | []",
                "shape(0)                            | [2, 3]",
                "shape(1)[1] * shape(0, 2)[0]        | 8",
                "shapes(3)[0]                        | [1, 2]",
                "tensors(2)                          | [[2, 3], [3, 4]]",
                "given(0) and not given(2)           | true",
                "inputs()                            | 4",
                "type(1)                             | \"c10::Half\"",
                "size(type(1)) + size(type(0))       | 6",
                "known(size('strange'), 9)           | 9",
                "size(scalar_type(15))               | 2",
                "bytes(0)                            | 24",
                "value(2)                            | [2, 0.5, true]",
                "value(3) + 1                        | 8",
                "text(3)                             | \"7\"",
                "default(type(9), 'none')            | \"none\"",
                "default(shape(9)[0], 1 + 1)         | 2",
                "prod((2, 3, 4))                     | 24",
                "prod(())                            | 1",
                "len(shape(0))                       | 2",
                "concat((1, 2), (3,))                | [1, 2, 3]",
                "broadcast((2, 1, 3), (4, 1))        | [2, 4, 3]",
                "min(3, 1, 2) + max(3, 1.5)          | 4",
                "ceil(2.1) - floor(-0.5)             | 4",
                "contains(name(), '::')              | true",
                "strides(0)                          | null",
                "output_type(0)                      | null",
            })
    void hasAValue(String formula, String json) throws NotModelled {
        assertThat(value(formula).json()).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "shape(9)           | no shape of argument 9",
                "shape(3)           | argument 3 is no single tensor",
                "shape(0, 3)        | argument 0 has shape [2, 3], not 3 dimensions",
                "shape(0)[5]        | [2, 3] has no element 5",
                "1 + 'a'            | expected a number, found \"a\"",
                "1 // 0             | division by zero",
                "prod(3)            | expected a shape or list, found 3",
                "fail('no luck')    | no luck",
                "(1, 2)[0.5]        | expected an integer, found 0.5",
            })
    void whatACallLacksIsUnreadable(String formula, String reason) {
        assertThatThrownBy(() -> value(formula)).isInstanceOfSatisfying(NotModelled.class, e -> {
            assertThat(e.reason()).isEqualTo(reason);
            assertThat(e.kind()).isEqualTo(NotModelled.Kind.UNREADABLE);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1 +            | 13 | expected a number, name, text or bracket, found the end",
                "1 2            | 12 | expected an operator, found '2'",
                "(1, 2          | 15 | expected ',', found the end",
                "1 if 2         | 16 | expected 'else', found the end",
                "shpe(0)        | 10 | no function is called 'shpe'; did you mean 'shape'",
                "2 * shape()    | 14 | expected shape(argument, rank)",
                "M * 2          | 10 | 'M' is not defined",
                "'abc           | 10 | a text without closing quote",
                "1 $ 2          | 12 | expected an operator, found '$'",
                "1.2.3          | 10 | '1.2.3' is no number",
                "(1)[           | 14 | expected a number, name, text or bracket, found the end",
            })
    void mistakesAreShownWhereTheyAre(String formula, int column, String problem) {
        assertThatThrownBy(() -> value(formula))
                .isInstanceOf(UserException.class)
                .hasMessage("f.json:3:" + column + ": " + problem + " in '" + formula + "'");
    }

    @org.junit.jupiter.api.Test
    void deepNestingIsRefused() {
        assertThatThrownBy(() -> value("(".repeat(5000) + "1" + ")".repeat(5000)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("nested too deeply");
    }
}
