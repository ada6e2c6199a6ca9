// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Text inside of a page: as it is while it is short, so that people and programs find what they look for; else deflated and
 * in base64, which takes a quarter of the room. JSON begins with a brace, which base64 does not have.
 */
final class PackedText extends OutputStream {
    /** As many bytes stay as they are. */
    static final int SHORT = 1 << 18;

    private final ByteArrayOutputStream text = new ByteArrayOutputStream(1 << 16);
    private final Deflater deflater = new Deflater();
    private @Nullable OutputStream packing;

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        OutputStream packs = packing;
        if (packs == null && text.size() + length > SHORT) {
            byte[] head = text.toByteArray();
            text.reset();
            packs = new DeflaterOutputStream(text, deflater, 1 << 13);
            packs.write(head);
            packing = packs;
        }
        (packs == null ? text : packs).write(bytes, from, length);
    }

    /** Writes what there is, and ends. */
    void writeTo(OutputStream out) throws IOException {
        OutputStream packs = packing;
        if (packs == null) {
            text.writeTo(out);
        } else {
            packs.close();
            out.write(Base64.getEncoder().encode(text.toByteArray()));
        }
        deflater.end();
    }
}
