// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

/**
 * One pair of axes and what is drawn between them.
 *
 * @param title above the panel, may be empty
 * @param x what is laid off to the right, with its unit; may be empty
 * @param y what is laid off upwards, with its unit; may be empty
 * @param logarithmic whether equal distances of values are equal ratios; ignored if a value is not positive
 */
public record Panel(String title, String x, String y, Mark mark, boolean logarithmic) {
    /** A panel with linear axes. */
    public Panel(String title, String x, String y, Mark mark) {
        this(title, x, y, mark, false);
    }
}
