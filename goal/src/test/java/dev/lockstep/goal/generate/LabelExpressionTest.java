// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.goal.generate.TagLabel.Facts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelExpressionTest {
    private static final Facts FACTS = new Facts(2, 31, 4, 1007);

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "parallelism, 2",
        "parallelism + 10 * communicator, 312",
        "(parallelism + 10) * communicator, 372",
        "100 - 20 - 3, 77",
        "sequence % 100 * 10 + collective, 74",
        "'  sequence/10 ', 100"
    })
    void isCalculatedAsOneReadsIt(String expression, long label) {
        assertThat(LabelExpression.parse(expression).of(FACTS)).isEqualTo(label);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "channel", "1 +", "(1", "1 2", "1 + * 2", "9999999999999999999"})
    void whatIsNoExpressionIsRefused(String expression) {
        assertThatThrownBy(() -> LabelExpression.parse(expression))
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.setting()).isEqualTo("label"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 / (communicator - 31)", "parallelism - 3", "999999999999999999 * sequence"})
    void whatCannotBeCalculatedIsRefused(String expression) {
        LabelExpression label = LabelExpression.parse(expression);

        assertThatThrownBy(() -> label.of(FACTS)).isInstanceOf(UserException.class);
    }

    @Test
    void tagsPutTheLabelBehindTheNumber() {
        TagFormat format = new TagFormat(4, 5);

        assertThat(format.tag(12, 15_201)).isEqualTo(1_215_201);
        assertThat(new TagFormat(3, 0).tag(12, 0)).isEqualTo(12);
    }
}
