// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

/** How values are spelt in text outputs. */
public enum CellStyle {
    /** Exact decimals, structured cells as JSON, true and false. */
    PLAIN,
    /**
     * As Python's tools print: floats by {@code repr} with at least one decimal, structured cells as Python literals
     * (arrays as tuples where the column holds arguments, else lists), True and False.
     */
    PYTHON
}
