// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The content of frames of zstd, one after the other. What is damaged is reported, and everything that was unpacked before
 * the damage is delivered. Check sums are not compared.
 */
public final class ZstdSource implements ByteSource {
    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPED = 0x184D2A50;

    /** How far back frames may repeat; what is packed with more must say so when it is packed and unpacked. */
    private static final long MOST_WINDOW = 1L << 27;

    private final ByteSource packed;
    private final Damage damage;
    private final byte[] block = new byte[ZstdBlocks.LARGEST];
    private @Nullable ZstdBlocks frame;
    private boolean isSummed;
    private boolean isLast;
    private boolean ended;
    private long position;

    /**
     * @param packed closed with this
     * @param damage is told what is wrong
     */
    public ZstdSource(ByteSource packed, Damage damage) {
        this.packed = packed;
        this.damage = damage;
    }

    /** Whether content that begins like this is packed by zstd. */
    public static boolean matches(byte[] head, int length) {
        return length >= 4
                && (head[0] & 0xFF) == 0x28
                && (head[1] & 0xFF) == 0xB5
                && head[2] == 0x2F
                && (head[3] & 0xFF) == 0xFD;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (!ended) {
            int n = frame == null ? 0 : frame.take(into, offset, length);
            if (n > 0) {
                return n;
            }
            try {
                ended = !more();
            } catch (EOFException e) {
                damage.report(
                        true, "truncated", "the file ends inside of what zstd packed; the file was cut", position);
                ended = true;
            } catch (Broken e) {
                damage.report(true, "damaged_block", "what zstd packed is damaged: " + e.getMessage(), position);
                ended = true;
            }
        }
        return -1;
    }

    /** What is packed is not as zstd packs it. */
    private static final class Broken extends IOException {
        private static final long serialVersionUID = 1;

        private Broken(String what) {
            super(what);
        }
    }

    /** Unpacks the next block; false where there is none. */
    private boolean more() throws IOException {
        if (frame == null) {
            return begin();
        }
        if (isLast) {
            number(isSummed ? 4 : 0);
            frame = null;
            return true;
        }
        int head = (int) number(3);
        isLast = (head & 1) == 1;
        int length = head >>> 3;
        if (length > ZstdBlocks.LARGEST) {
            throw new Broken("a block is too long");
        }
        switch (head >> 1 & 3) {
            case 0 -> {
                fill(length);
                frame.raw(block, length);
            }
            case 1 -> {
                fill(1);
                frame.repeated(block[0], length);
            }
            case 2 -> {
                fill(length);
                try {
                    frame.packed(block, length);
                } catch (IOException e) {
                    throw new Broken(String.valueOf(e.getMessage()));
                }
            }
            default -> throw new Broken("a block is of no known kind");
        }
        return true;
    }

    private boolean begin() throws IOException {
        int n = packed.fill(block, 0, 4);
        position += n;
        if (n == 0) {
            return false;
        }
        if (n < 4) {
            throw new EOFException();
        }
        int magic = (int) little(4);
        if ((magic & ~15) == SKIPPED) {
            for (long left = number(4); left > 0; left -= Math.min(left, block.length)) {
                fill((int) Math.min(left, block.length));
            }
            return true;
        }
        if (magic != MAGIC) {
            throw new Broken("a frame has no mark");
        }
        int head = (int) number(1);
        boolean single = (head >> 5 & 1) == 1;
        isSummed = (head >> 2 & 1) == 1;
        long window = 0;
        if (!single) {
            int described = (int) number(1);
            long base = 1L << 10 + (described >> 3);
            window = base + base / 8 * (described & 7);
        }
        if (number((1 << (head & 3)) >> 1) != 0) {
            throw new Broken("it needs a dictionary");
        }
        int sized = head >> 6 & 3;
        long size = number(sized == 0 ? single ? 1 : 0 : 1 << sized) + (sized == 1 ? 256 : 0);
        window = single ? size : window;
        if (window < 0 || window > MOST_WINDOW) {
            throw new Broken("it needs more than " + (MOST_WINDOW >> 20) + " MiB at a time");
        }
        frame = new ZstdBlocks((int) window);
        isLast = false;
        return true;
    }

    private void fill(int length) throws IOException {
        int n = packed.fill(block, 0, length);
        position += n;
        if (n < length) {
            throw new EOFException();
        }
    }

    private long number(int length) throws IOException {
        fill(length);
        return little(length);
    }

    private long little(int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value |= (block[i] & 0xFFL) << i * 8;
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        packed.close();
    }
}
