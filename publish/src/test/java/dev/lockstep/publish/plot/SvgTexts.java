// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Finds where the texts of an SVG picture lie, by their anchors, widths and rotations. */
final class SvgTexts {
    private SvgTexts() {}

    /** @param slanted whether the text fills only a part of its box */
    record Box(String text, double left, double top, double right, double bottom, boolean slanted) {
        boolean overlaps(Box other) {
            return Math.min(right, other.right) - Math.max(left, other.left) > 1
                    && Math.min(bottom, other.bottom) - Math.max(top, other.top) > 1;
        }
    }

    static List<Box> of(String svg) {
        try {
            NodeList texts = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)))
                    .getElementsByTagName("text");
            List<Box> boxes = new ArrayList<>();
            for (int i = 0; i < texts.getLength(); i++) {
                boxes.add(box((Element) texts.item(i)));
            }
            return boxes;
        } catch (Exception e) {
            throw new AssertionError(svg, e);
        }
    }

    private static Box box(Element text) {
        double x = Double.parseDouble(text.getAttribute("x"));
        double y = Double.parseDouble(text.getAttribute("y"));
        double width = Double.parseDouble(text.getAttribute("textLength"));
        double size = Double.parseDouble(text.getAttribute("font-size"));
        double before = switch (text.getAttribute("text-anchor")) {
            case "middle" -> width / 2;
            case "end" -> width;
            default -> 0;
        };
        Rectangle2D level = new Rectangle2D.Double(x - before, y - size * 0.75, width, size * 0.95);
        Rectangle2D turned = turn(text.getAttribute("transform"), x, y)
                .createTransformedShape(level)
                .getBounds2D();
        return new Box(
                text.getTextContent().strip(),
                turned.getMinX(),
                turned.getMinY(),
                turned.getMaxX(),
                turned.getMaxY(),
                text.getAttribute("transform").startsWith("rotate(-45"));
    }

    private static AffineTransform turn(String transform, double x, double y) {
        if (transform.isEmpty()) {
            return new AffineTransform();
        }
        String degrees = transform.substring("rotate(".length(), transform.indexOf(' '));
        return AffineTransform.getRotateInstance(Math.toRadians(Double.parseDouble(degrees)), x, y);
    }
}
