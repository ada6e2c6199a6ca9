// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/**
 * Labels below a row of places of equal width. They are set level where they fit, in several lines if need be, else slanted, else upright; where even
 * that is too narrow, every second, third, … is shown.
 */
final class PlaceLabels {
    private static final Ink[] SIZES = {Ink.TICK, Ink.TICK.sized(9), Ink.TICK.sized(8)};
    private static final double GAP = 4;
    private static final int SHORT = 4;
    private static final int MOST_LINES = 4;

    private final List<String> labels;
    private final List<String> notes;
    private final double slot;
    private final Ink ink;
    private final double degrees;
    private final int every;
    private final double longest;

    private PlaceLabels(
            List<String> labels, List<String> notes, double slot, Ink ink, double degrees, int every, double longest) {
        this.labels = labels;
        this.notes = notes;
        this.slot = slot;
        this.ink = ink;
        this.degrees = degrees;
        this.every = every;
        this.longest = longest;
    }

    /**
     * @param notes printed below the labels if all of them fit; as many as labels, or none
     * @param slot the width of a place
     * @param overhang how far slanted labels may reach to the left of the first place
     * @param room the height that labels may take
     */
    static PlaceLabels fit(List<String> labels, List<String> notes, double slot, double overhang, double room) {
        for (Ink ink : SIZES) {
            List<String> broken = labels.stream()
                    .map(label -> Wording.broken(label, ink, slot - GAP))
                    .toList();
            if (widest(broken, ink) <= slot - GAP && mostLines(broken) <= MOST_LINES) {
                boolean noted = widest(notes, Ink.SMALL) <= slot - GAP;
                return new PlaceLabels(broken, noted ? notes : List.of(), slot, ink, 0, 1, room);
            }
        }
        Ink small = SIZES[SIZES.length - 1];
        if (labels.stream().allMatch(label -> label.length() <= SHORT)) {
            int every = (int) Math.ceil((widest(labels, small) + GAP) / slot);
            return new PlaceLabels(labels, List.of(), slot, small, 0, every, room);
        }
        List<String> single = labels.stream().map(l -> l.replace("\n", " · ")).toList();
        double diagonal = Math.sqrt(0.5);
        double reach = Math.min(widest(single, SIZES[1]), room / diagonal - SIZES[1].size());
        if (slot >= 1.6 * SIZES[1].leading() && reach * diagonal <= overhang + slot / 2) {
            return new PlaceLabels(single, List.of(), slot, SIZES[1], -45, 1, reach);
        }
        boolean lines = mostLines(labels) * small.leading() <= slot;
        List<String> turned = lines
                ? labels
                : labels.stream()
                        .map(l -> Wording.joined(l.lines().toList(), small, room))
                        .toList();
        int every = (int) Math.ceil(small.leading() / slot);
        return new PlaceLabels(turned, List.of(), slot, small, -90, every, Math.min(widest(turned, small), room));
    }

    double height() {
        if (degrees == 0) {
            return mostLines(labels) * ink.leading() + (notes.isEmpty() ? 0 : Ink.SMALL.leading()) + 2;
        }
        return degrees == -90 ? longest + 4 : (longest + ink.size()) * Math.sqrt(0.5) + 4;
    }

    /** Draws the labels below a line. */
    void paint(Canvas canvas, double left, double top) {
        for (int i = 0; i < labels.size(); i += every) {
            double centre = left + (i + 0.5) * slot;
            if (degrees == 0) {
                level(canvas, i, centre, top + ink.size());
            } else if (degrees == -90) {
                turned(canvas, i, centre, top + 2);
            } else {
                String text = Wording.shortened(labels.get(i), ink, longest);
                canvas.text(text, centre + ink.capital() * 0.7, top + 8, ink, Canvas.Anchor.END, degrees);
            }
        }
    }

    private void turned(Canvas canvas, int i, double centre, double top) {
        String[] lines = lines(labels.get(i));
        double x = centre + ink.capital() / 2 - (lines.length - 1) * ink.leading() / 2;
        for (String line : lines) {
            canvas.text(Wording.shortened(line, ink, longest), x, top, ink, Canvas.Anchor.END, degrees);
            x += ink.leading();
        }
    }

    private void level(Canvas canvas, int i, double centre, double baseline) {
        double y = baseline;
        for (String line : lines(labels.get(i))) {
            canvas.text(line, centre, y, ink, Canvas.Anchor.MIDDLE);
            y += ink.leading();
        }
        if (!notes.isEmpty()) {
            double below = baseline + mostLines(labels) * ink.leading();
            canvas.text(notes.get(i), centre, below, Ink.SMALL, Canvas.Anchor.MIDDLE);
        }
    }

    private static int mostLines(List<String> labels) {
        return labels.stream().mapToInt(label -> lines(label).length).max().orElse(1);
    }

    private static double widest(List<String> texts, Ink ink) {
        return texts.stream()
                .flatMap(text -> List.of(lines(text)).stream())
                .mapToDouble(ink::width)
                .max()
                .orElse(0);
    }

    private static String[] lines(String label) {
        return label.split("\n", -1);
    }
}
