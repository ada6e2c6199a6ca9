// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.execution;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.lockstep.codec.JsonWindow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of an execution trace, in which reading can go on at the next node behind damage. */
final class NodeStream {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .disable(JsonFactory.Feature.CHARSET_DETECTION) // damaged UTF-8 may look like another encoding
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(JsonWindow.LONGEST / Integer.BYTES)
                    .build())
            .build();

    /** How a node goes on behind its brace: older schemas begin with the name. Attributes have names and no numbers. */
    private static final Pattern NODE = Pattern.compile(
            "\\s*+(?:\"name\"\\s*+:\\s*+\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"\\s*+,\\s*+)?+\"id\"\\s*+:");

    /** What makes a document again of nodes and all that follows them. */
    private static final byte[] BEGINNING = "{\"nodes\":[".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private static final int LOOK_AHEAD = 1 << 10;
    /** More than a parser reads ahead. */
    private static final int ROOM = 1 << 16;

    private final PushbackInputStream in;
    /** What is to be added to the offsets of the parser in use. */
    private long shift;

    /** @param in stays open */
    NodeStream(InputStream in) {
        this.in = new PushbackInputStream(in, ROOM);
    }

    /** A parser of the document. */
    JsonParser begin() throws IOException {
        byte[] first = in.readNBytes(BYTE_ORDER_MARK.length);
        if (Arrays.equals(first, BYTE_ORDER_MARK)) {
            shift = first.length;
        } else {
            in.unread(first);
        }
        return JSON.createParser(in);
    }

    /** The place in the text that the parser in use calls so. */
    long offset(long offsetOfParser) {
        return offsetOfParser + shift;
    }

    /**
     * A parser of a document whose nodes are those that follow the place where a parser failed; null when none follows.
     * The one that failed is closed.
     */
    @Nullable
    JsonParser behind(JsonParser failed) throws IOException {
        long at = offset(failed.currentLocation().getByteOffset());
        ByteArrayOutputStream ahead = new ByteArrayOutputStream();
        int known = failed.releaseBuffered(ahead);
        failed.close();
        if (known < 0) {
            return null;
        }
        in.unread(ahead.toByteArray());
        byte[] block = new byte[ROOM / 2];
        int filled = 0;
        while (true) {
            int read = in.readNBytes(block, filled, block.length - filled);
            filled += read;
            boolean last = filled < block.length;
            int looked = last ? filled : filled - LOOK_AHEAD;
            for (int p = 0; p < looked; p++) {
                if (block[p] == '{' && isNode(block, p + 1, filled)) {
                    in.unread(block, p, filled - p);
                    in.unread(BEGINNING);
                    shift = at + p - BEGINNING.length;
                    return JSON.createParser(in);
                }
            }
            if (last) {
                return null;
            }
            at += looked;
            filled -= looked;
            System.arraycopy(block, looked, block, 0, filled);
        }
    }

    private static boolean isNode(byte[] text, int from, int to) {
        if (from == to || text[from] != '"' && text[from] > ' ') {
            return false;
        }
        int length = Math.min(LOOK_AHEAD, to - from);
        return NODE.matcher(new String(text, from, length, StandardCharsets.ISO_8859_1))
                .lookingAt();
    }
}
