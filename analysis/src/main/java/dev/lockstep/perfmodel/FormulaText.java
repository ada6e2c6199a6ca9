// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;

/**
 * The text of a formula and where it stands, so that problems can be shown there.
 *
 * @param source the file, as the user named it
 * @param line its line, from 1
 * @param column the column of the first letter of the text, from 1
 * @param text the formula
 */
record FormulaText(String source, int line, int column, String text) {
    private static final int MOST_SHOWN = 200;

    /** The failure to understand what stands at an offset of the text. */
    UserException invalid(int offset, String problem) {
        int from = Math.clamp(offset - MOST_SHOWN / 2, 0, Math.max(0, text.length() - MOST_SHOWN));
        int to = Math.min(from + MOST_SHOWN, text.length());
        String shown = (from > 0 ? "…" : "") + text.substring(from, to) + (to < text.length() ? "…" : "");
        return new UserException(
                ErrorCode.OPTION_INVALID,
                source + ":" + line + ":" + (column + offset) + ": " + problem + " in '" + shown + "'",
                "docs/how-to/add-an-op-model.md lists what a formula may hold.");
    }
}
