// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/** Draws pixels, with the rasteriser of the JDK. Needs neither a display nor fonts. */
final class RasterCanvas implements Canvas, AutoCloseable {
    private static final float[] DASH = {4, 3};

    private final BufferedImage image;
    private final Graphics2D graphics;

    RasterCanvas(int width, int height, double pixelsPerPoint) {
        System.setProperty("java.awt.headless", "true");
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.scale(pixelsPerPoint, pixelsPerPoint);
    }

    /** The pixels row by row, each as red, green and blue in the lower 24 bits. */
    int[] pixels() {
        return ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    }

    @Override
    public void fill(Shape shape, Colour colour) {
        graphics.setColor(colour(colour));
        graphics.fill(shape);
    }

    @Override
    public void stroke(Shape shape, Colour colour, double width, boolean dashed) {
        graphics.setColor(colour(colour));
        float[] dash = dashed ? DASH : null;
        graphics.setStroke(new BasicStroke((float) width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0));
        graphics.draw(shape);
    }

    @Override
    public void text(String line, double x, double y, Ink ink, Anchor anchor, double degrees) {
        AffineTransform place = AffineTransform.getTranslateInstance(x, y);
        place.rotate(Math.toRadians(degrees));
        place.translate(-anchor.share * ink.width(line), 0);
        fill(place.createTransformedShape(ink.glyphs().outline(line, ink.size())), ink.colour());
    }

    @Override
    public void close() {
        graphics.dispose();
    }

    private static Color colour(Colour colour) {
        return new Color(colour.rgb() >> 16 & 0xff, colour.rgb() >> 8 & 0xff, colour.rgb() & 0xff, (int)
                Math.round(colour.alpha() * 255));
    }
}
