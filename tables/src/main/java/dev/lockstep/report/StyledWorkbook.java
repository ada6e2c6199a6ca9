// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;

/**
 * A workbook whose looks matter: order and visibility of its sheets, tables, colours.
 *
 * @param sheets in order; the first is the one that is shown when the workbook is opened, and at least one is visible
 */
public record StyledWorkbook(List<StyledSheet> sheets) {
    /** Copies the sheets. */
    public StyledWorkbook {
        sheets = List.copyOf(sheets);
    }
}
