// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** PNG files of three bytes per pixel: signature, then chunks of length, type, content and checksum. */
final class Png {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int TRUE_COLOUR = 2;
    private static final double INCHES_PER_METRE = 1 / 0.0254;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 17);

    private Png() {}

    static byte[] encode(int[] pixels, int width, int height, int dpi) {
        Png file = new Png();
        file.out.writeBytes(SIGNATURE);
        byte[] header = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put((byte) 8)
                .put((byte) TRUE_COLOUR)
                .array();
        file.chunk("IHDR", header, header.length);
        int pixelsPerMetre = (int) Math.round(dpi * INCHES_PER_METRE);
        byte[] size = ByteBuffer.allocate(9)
                .putInt(pixelsPerMetre)
                .putInt(pixelsPerMetre)
                .put((byte) 1)
                .array();
        file.chunk("pHYs", size, size.length);
        file.rows(pixels, width, height);
        file.chunk("IEND", new byte[0], 0);
        return file.out.toByteArray();
    }

    private void rows(int[] pixels, int width, int height) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION);
        byte[] packed = new byte[1 << 16];
        byte[] row = new byte[1 + 3 * width];
        for (int y = 0; y < height; y++) {
            for (int x = 0, at = 1; x < width; x++) {
                int pixel = pixels[y * width + x];
                row[at++] = (byte) (pixel >> 16);
                row[at++] = (byte) (pixel >> 8);
                row[at++] = (byte) pixel;
            }
            deflater.setInput(row);
            drain(deflater, packed);
        }
        deflater.finish();
        drain(deflater, packed);
        deflater.end();
    }

    private void drain(Deflater deflater, byte[] packed) {
        for (int n = deflater.deflate(packed); n > 0; n = deflater.deflate(packed)) {
            chunk("IDAT", packed, n);
        }
    }

    private void chunk(String type, byte[] content, int length) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(content, 0, length);
        out.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
        out.writeBytes(name);
        out.write(content, 0, length);
        out.writeBytes(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
    }
}
