// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.ArrayList;
import java.util.List;

/** Text made to fit. */
final class Wording {
    private static final String CUT = "…";

    private Wording() {}

    /** The text in lines that are no wider than given; breaks between words where there are any. */
    static List<String> wrapped(String text, Ink ink, double width) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : text.split("\n")) {
            StringBuilder line = new StringBuilder();
            for (String word : paragraph.split(" ")) {
                if (!line.isEmpty() && ink.width(line + " " + word) > width) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                line.append(line.isEmpty() ? "" : " ").append(shortened(word, ink, width));
            }
            if (!line.isEmpty()) {
                lines.add(line.toString());
            }
        }
        return lines;
    }

    /** The label with line breaks behind blanks, underscores and hyphens, so that lines are no wider than given if possible. */
    static String broken(String label, Ink ink, double width) {
        StringBuilder broken = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String part : label.split("(?<=[ _\\-\n])")) {
            if (!line.isEmpty() && ink.width(line + part.strip()) > width) {
                broken.append(line.toString().strip()).append('\n');
                line.setLength(0);
            }
            line.append(part);
            if (part.endsWith("\n")) {
                broken.append(line);
                line.setLength(0);
            }
        }
        return broken.append(line).toString();
    }

    /** The text, without its middle where it is too wide: names of kernels differ at both ends. */
    static String shortened(String text, Ink ink, double width) {
        if (ink.width(text) <= width) {
            return text;
        }
        int[] points = text.codePoints().toArray();
        int least = 0;
        int most = points.length;
        while (least < most) {
            int kept = (least + most + 1) / 2;
            if (ink.width(cut(points, kept)) <= width) {
                least = kept;
            } else {
                most = kept - 1;
            }
        }
        return cut(points, least);
    }

    /** Lines in one; where it is too wide, the first of them is shortened, which is the longest name. */
    static String joined(List<String> lines, Ink ink, double width) {
        String rest = String.join(" · ", lines.subList(1, lines.size()));
        String tail = rest.isEmpty() ? "" : " · " + rest;
        double left = width - ink.width(tail);
        return left < width * 0.3
                ? shortened(lines.getFirst() + tail, ink, width)
                : shortened(lines.getFirst(), ink, left) + tail;
    }

    private static String cut(int[] points, int kept) {
        int tail = kept / 3;
        return new String(points, 0, kept - tail) + CUT + new String(points, points.length - tail, tail);
    }
}
