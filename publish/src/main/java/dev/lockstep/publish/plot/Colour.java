// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.Locale;

/**
 * A colour.
 *
 * @param rgb red, green and blue, eight bits each
 * @param alpha from 0, invisible, to 1, opaque
 */
public record Colour(int rgb, double alpha) {
    /** An opaque colour. */
    public static Colour of(int rgb) {
        return new Colour(rgb, 1);
    }

    /** The same colour, as opaque as given. */
    public Colour faded(double opacity) {
        return new Colour(rgb, opacity);
    }

    /** The colour between this one, at 0, and another, at 1. */
    Colour towards(Colour other, double share) {
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int a = (rgb >> shift) & 0xff;
            int b = (other.rgb >> shift) & 0xff;
            mixed |= (int) Math.round(a + (b - a) * share) << shift;
        }
        return of(mixed);
    }

    /** Whether black is easier to read on it than white. */
    boolean isLight() {
        return 0.299 * ((rgb >> 16) & 0xff) + 0.587 * ((rgb >> 8) & 0xff) + 0.114 * (rgb & 0xff) > 140;
    }

    String hex() {
        return String.format(Locale.ROOT, "#%06x", rgb);
    }
}
