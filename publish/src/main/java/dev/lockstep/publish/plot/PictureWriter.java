// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

/** Draws pictures. The same picture gives the same bytes. */
public final class PictureWriter {
    private static final double POINTS_PER_INCH = 72;

    private PictureWriter() {}

    /** The picture as a PNG file of its size in pixels. */
    public static byte[] png(Picture picture) {
        double pixelsPerPoint = picture.dpi() / POINTS_PER_INCH;
        try (RasterCanvas canvas = new RasterCanvas(picture.width(), picture.height(), pixelsPerPoint)) {
            PicturePainter.paint(picture, area(picture), canvas);
            return Png.encode(canvas.pixels(), picture.width(), picture.height(), picture.dpi());
        }
    }

    /** The picture as an SVG element that needs nothing from elsewhere; its letters are as high as text of a page. */
    public static String svg(Picture picture) {
        Area area = area(picture);
        SvgCanvas canvas = new SvgCanvas(picture.title(), area.width(), area.height());
        PicturePainter.paint(picture, area, canvas);
        return canvas.finish();
    }

    private static Area area(Picture picture) {
        double pointsPerPixel = POINTS_PER_INCH / picture.dpi();
        return new Area(0, 0, picture.width() * pointsPerPixel, picture.height() * pointsPerPixel);
    }
}
