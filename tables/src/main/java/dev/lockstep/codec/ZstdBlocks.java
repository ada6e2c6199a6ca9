// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Unpacks the blocks of one frame of zstd, which stand on those before. */
final class ZstdBlocks {
    /** No block unpacks to more. */
    static final int LARGEST = 1 << 17;

    /** How many bits stand behind the code of a length; the lengths of a code begin behind those of the code before. */
    private static final int[] LITERAL_BITS = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16
    };

    private static final int[] MATCH_BITS = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2,
        2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    };

    private static final int[] LITERAL_BASES = bases(0, LITERAL_BITS);
    private static final int[] MATCH_BASES = bases(3, MATCH_BITS);

    private static final int[] USUAL_LITERALS = {
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1
    };

    private static final int[] USUAL_MATCHES = {
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1
    };

    private static final int[] USUAL_OFFSETS = {
        1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1
    };

    /** One of the three codes of sequences: its most bits, its largest symbol, and what it is where it is not written. */
    private static final class Code {
        private final int mostLog;
        private final int mostSymbol;
        private final int usualLog;
        private final int[] usual;

        private Code(int mostLog, int mostSymbol, int usualLog, int[] usual) {
            this.mostLog = mostLog;
            this.mostSymbol = mostSymbol;
            this.usualLog = usualLog;
            this.usual = usual;
        }
    }

    private static final Code LITERALS_OF_SEQUENCES = new Code(9, 35, 6, USUAL_LITERALS);
    private static final Code OFFSETS_OF_SEQUENCES = new Code(8, 31, 5, USUAL_OFFSETS);
    private static final Code MATCHES_OF_SEQUENCES = new Code(9, 52, 6, USUAL_MATCHES);

    private final int window;

    /** What was unpacked last: as much as later blocks may repeat, then what was not taken yet. */
    private byte[] out = new byte[2 * LARGEST];

    private int taken;
    private int end;
    private final byte[] literals = new byte[LARGEST];
    private int literalCount;
    private @Nullable ZstdTable huffman;
    private @Nullable ZstdTable ofLiterals;
    private @Nullable ZstdTable ofOffsets;
    private @Nullable ZstdTable ofMatches;
    private int recent = 1;
    private int second = 4;
    private int third = 8;

    /** @param window how far back blocks may repeat */
    ZstdBlocks(int window) {
        this.window = window;
    }

    private static int[] bases(int first, int[] bits) {
        int[] bases = new int[bits.length];
        int base = first;
        for (int code = 0; code < bases.length; code++) {
            bases[code] = base;
            base += 1 << bits[code];
        }
        return bases;
    }

    /** Takes what was unpacked; returns how many bytes, 0 for none. */
    int take(byte[] into, int offset, int length) {
        int n = Math.min(length, end - taken);
        System.arraycopy(out, taken, into, offset, n);
        taken += n;
        return n;
    }

    /** Makes room for a block; all before must be taken. */
    private void room() {
        int kept = Math.min(end, window);
        if (end + LARGEST > out.length) {
            byte[] from = out;
            if (kept + 2 * LARGEST > out.length) {
                out = new byte[Math.max(2 * out.length, kept + 2 * LARGEST)];
            }
            System.arraycopy(from, end - kept, out, 0, kept);
            end = kept;
        }
        taken = end;
    }

    void raw(byte[] b, int length) {
        room();
        System.arraycopy(b, 0, out, end, length);
        end += length;
    }

    void repeated(byte value, int length) {
        room();
        Arrays.fill(out, end, end + length, value);
        end += length;
    }

    void packed(byte[] b, int length) throws IOException {
        room();
        try {
            sequences(b, literals(b, length), length);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IOException("a block is damaged", e);
        }
    }

    private static void demand(boolean sound, String what) throws IOException {
        if (!sound) {
            throw new IOException(what + " of a block are damaged");
        }
    }

    /** Reads the literals of a block; returns the place behind them. */
    private int literals(byte[] b, int to) throws IOException {
        int type = b[0] & 3;
        int format = b[0] >> 2 & 3;
        int head = type < 2 ? format == 1 ? 2 : format == 3 ? 3 : 1 : format < 2 ? 3 : format + 2;
        long value = 0;
        for (int i = 0; i < head; i++) {
            value |= (b[i] & 0xFFL) << i * 8;
        }
        if (type < 2) {
            literalCount = (int) (value >> (head == 1 ? 3 : 4));
            int length = type == 0 ? literalCount : 1;
            demand(literalCount <= LARGEST && head + length <= to, "the literals");
            if (type == 0) {
                System.arraycopy(b, head, literals, 0, length);
            } else {
                Arrays.fill(literals, 0, literalCount, b[head]);
            }
            return head + length;
        }
        int width = format < 2 ? 10 : format == 2 ? 14 : 18;
        literalCount = (int) (value >> 4 & (1 << width) - 1);
        int end = head + (int) (value >> 4 + width & (1 << width) - 1);
        demand(literalCount <= LARGEST && end <= to && end > head, "the literals");
        int from = head;
        if (type == 2) {
            huffman = ZstdTable.huffman(b, head, end);
            from += huffman.length;
        }
        demand(huffman != null, "the literals");
        if (format == 0) {
            codes(b, from, end, 0, literalCount);
        } else {
            int part = literalCount + 3 >> 2;
            int at = from + 6;
            for (int stream = 0; stream < 4; stream++) {
                int next = stream == 3
                        ? end
                        : at + (b[from + 2 * stream] & 0xFF) + ((b[from + 2 * stream + 1] & 0xFF) << 8);
                demand(next <= end && part * stream <= literalCount, "the literals");
                codes(
                        b,
                        at,
                        next,
                        part * stream,
                        stream == 3 ? literalCount : Math.min(literalCount, part * (stream + 1)));
                at = next;
            }
        }
        return end;
    }

    private void codes(byte[] b, int from, int to, int first, int last) throws IOException {
        ZstdTable table = huffman;
        if (table == null) {
            return;
        }
        ZstdBits in = new ZstdBits(b, from, to);
        for (int i = first; i < last; i++) {
            int state = (int) in.peek(table.log);
            literals[i] = table.symbols[state];
            in.left -= table.bits[state];
        }
        demand(in.left == 0, "the literals");
    }

    private void sequences(byte[] b, int from, int to) throws IOException {
        int at = from;
        demand(at < to, "the sequences");
        int count = b[at++] & 0xFF;
        if (count == 255) {
            count = (b[at] & 0xFF) + ((b[at + 1] & 0xFF) << 8) + 0x7F00;
            at += 2;
        } else if (count >= 128) {
            count = (count - 128 << 8) + (b[at++] & 0xFF);
        }
        int next = 0;
        if (count > 0) {
            int modes = b[at++];
            ZstdTable lengths = table(modes >> 6, b, at, to, LITERALS_OF_SEQUENCES, ofLiterals);
            at += (modes >> 6 & 3) % 3 == 0 ? 0 : lengths.length;
            ZstdTable offsets = table(modes >> 4, b, at, to, OFFSETS_OF_SEQUENCES, ofOffsets);
            at += (modes >> 4 & 3) % 3 == 0 ? 0 : offsets.length;
            ZstdTable matches = table(modes >> 2, b, at, to, MATCHES_OF_SEQUENCES, ofMatches);
            at += (modes >> 2 & 3) % 3 == 0 ? 0 : matches.length;
            ofLiterals = lengths;
            ofOffsets = offsets;
            ofMatches = matches;
            next = copies(new ZstdBits(b, at, to), count, lengths, offsets, matches);
        }
        literal(next, literalCount - next);
    }

    private static ZstdTable table(int mode, byte[] b, int at, int to, Code code, @Nullable ZstdTable before)
            throws IOException {
        switch (mode & 3) {
            case 0 -> {
                return ZstdTable.of(code.usualLog, code.usual);
            }
            case 1 -> {
                demand(at < to && b[at] >= 0 && b[at] <= code.mostSymbol, "the sequences");
                return ZstdTable.single(b[at]);
            }
            case 2 -> {
                demand(at < to, "the sequences");
                return ZstdTable.read(b, at, to, code.mostLog, code.mostSymbol);
            }
            default -> {
                if (before == null) {
                    throw new IOException("a block repeats a table that is not there");
                }
                return before;
            }
        }
    }

    /** Copies what sequences say; returns how many literals they took. */
    private int copies(ZstdBits in, int count, ZstdTable lengths, ZstdTable offsets, ZstdTable matches)
            throws IOException {
        int length = (int) in.read(lengths.log);
        int offset = (int) in.read(offsets.log);
        int match = (int) in.read(matches.log);
        int next = 0;
        for (int i = 0; i < count; i++) {
            int offsetCode = offsets.symbols[offset];
            long far = (1L << offsetCode) + in.read(offsetCode);
            int matchCode = matches.symbols[match];
            int matched = MATCH_BASES[matchCode] + (int) in.read(MATCH_BITS[matchCode]);
            int literalCode = lengths.symbols[length];
            int literal = LITERAL_BASES[literalCode] + (int) in.read(LITERAL_BITS[literalCode]);
            if (i + 1 < count) {
                length = lengths.bases[length] + (int) in.read(lengths.bits[length]);
                match = matches.bases[match] + (int) in.read(matches.bits[match]);
                offset = offsets.bases[offset] + (int) in.read(offsets.bits[offset]);
            }
            demand(in.left >= 0 && literal <= literalCount - next, "the sequences");
            literal(next, literal);
            next += literal;
            copy(far(far, literal), matched);
        }
        demand(in.left == 0, "the sequences");
        return next;
    }

    /** How far back a sequence means; what is below 4 names one of the last three. */
    private int far(long code, int literal) throws IOException {
        int far = recent;
        if (code > 3) {
            far = (int) Math.min(Integer.MAX_VALUE, code - 3);
            third = second;
            second = recent;
        } else {
            int which = (int) code + (literal == 0 ? 1 : 0);
            if (which > 1) {
                far = which == 2 ? second : which == 3 ? third : recent - 1;
                third = which == 2 ? third : second;
                second = recent;
            }
        }
        demand(far > 0, "the offsets");
        recent = far;
        return far;
    }

    private void literal(int from, int length) throws IOException {
        demand(end - taken + length <= LARGEST, "the sequences");
        System.arraycopy(literals, from, out, end, length);
        end += length;
    }

    private void copy(int far, int length) throws IOException {
        demand(far <= end && end - taken + length <= LARGEST, "the sequences");
        if (far >= length) {
            System.arraycopy(out, end - far, out, end, length);
            end += length;
            return;
        }
        for (int last = end + length; end < last; end++) {
            out[end] = out[end - far];
        }
    }
}
