// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/**
 * A picture, as data.
 *
 * @param title above it
 * @param subtitle below the title: how to read it; may be empty
 * @param note at the bottom: what the marks mean, what was left out; may be empty
 * @param width in pixels
 * @param height in pixels
 * @param dpi pixels per inch; letters are as many inches high in all pictures
 * @param columns how many panels stand side by side
 * @param panels row by row
 */
public record Picture(
        String title, String subtitle, String note, int width, int height, int dpi, int columns, List<Panel> panels) {
    public Picture {
        panels = List.copyOf(panels);
        if (width < 1 || height < 1 || dpi < 1 || columns < 1) {
            throw new IllegalArgumentException("not a size: " + width + " x " + height);
        }
    }
}
