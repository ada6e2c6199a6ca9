// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.algorithm.WholeFormula;
import java.util.Map;

/** A label that is calculated: a {@link WholeFormula} over the names of {@link TagLabel.Facts}. Immutable. */
public final class LabelExpression implements TagLabel {
    private static final Map<String, Integer> NAMES =
            Map.of("parallelism", 0, "communicator", 1, "collective", 2, "sequence", 3);
    private static final String HINT =
            "Write it with parallelism, communicator, collective, sequence, whole numbers, + - * / % and parentheses.";

    private final String text;
    private final WholeFormula formula;

    private LabelExpression(String text, WholeFormula formula) {
        this.text = text;
        this.formula = formula;
    }

    /**
     * Reads an expression.
     *
     * @throws UserException when it is none
     */
    public static LabelExpression parse(String text) {
        try {
            return new LabelExpression(text, WholeFormula.parse(text, NAMES));
        } catch (WholeFormula.Malformed e) {
            String shown = text.length() > WholeFormula.LONGEST ? "the label" : "the label " + text;
            throw wrong(shown + ": expected " + e.getMessage(), HINT, e);
        }
    }

    @Override
    public long of(Facts facts) {
        long label;
        try {
            label = formula.of(slot -> switch (slot) {
                case 0 -> facts.parallelism();
                case 1 -> facts.communicator();
                case 2 -> facts.collective();
                default -> facts.sequence();
            });
        } catch (ArithmeticException e) {
            throw wrong(
                    "the label " + text + " cannot be calculated for communicator " + facts.communicator() + ": "
                            + e.getMessage(),
                    HINT,
                    e);
        }
        if (label < 0) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "the label " + text + " is negative for communicator " + facts.communicator(),
                            "Labels are numbers from 0 on.")
                    .about("label");
        }
        return label;
    }

    private static UserException wrong(String message, String hint, Exception cause) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint, cause).about("label");
    }
}
