// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/**
 * The colours of all pictures. They can be told apart with any of the common colour-vision deficiencies (after Okabe and
 * Ito), and in print.
 */
public final class Palette {
    /** What is better than the baseline. */
    public static final Colour BETTER = Colour.of(0x0072b2);

    /** What is worse than the baseline. */
    public static final Colour WORSE = Colour.of(0xd55e00);

    static final Colour INK = Colour.of(0x22262b);
    static final Colour SOFT = Colour.of(0x5b636d);
    static final Colour GRID = Colour.of(0xe1e5ea);
    static final Colour AXIS = Colour.of(0x8a929c);
    static final Colour ABSENT = Colour.of(0xeceff2);
    static final Colour PAPER = Colour.of(0xffffff);

    private static final List<Colour> SERIES = List.of(
            Colour.of(0x0072b2),
            Colour.of(0xe69f00),
            Colour.of(0x009e73),
            Colour.of(0xcc79a7),
            Colour.of(0xd55e00),
            Colour.of(0x56b4e9),
            Colour.of(0x5b636d),
            Colour.of(0x8c7a00));

    private Palette() {}

    /** The colour of a series by its place; they repeat after eight. */
    public static Colour series(int place) {
        return SERIES.get(Math.floorMod(place, SERIES.size()));
    }

    /** From the worst, -1, over nothing, 0, to the best, 1. */
    static Colour diverging(double share) {
        Colour end = share < 0 ? WORSE : BETTER;
        return PAPER.towards(end, Math.min(1, Math.abs(share)) * 0.85);
    }
}
