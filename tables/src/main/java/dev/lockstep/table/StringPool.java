// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Texts by number. Equal texts get one id; ids count from 0 in order of first appearance. -1 stands for no text.
 *
 * <p>Texts are kept as UTF-8 in one growing array and turned into {@link String}s when asked for. Growing is confined
 * to one thread; a pool that no longer grows may be read by many.
 */
public final class StringPool {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int LARGEST_BLOCK = 1 << 30;
    /** Up to this length, copying words is quicker than a call. */
    private static final int SHORT = 32;

    private byte[] bytes = new byte[1 << 8];
    private int[] offsets = new int[1 << 4];
    private int[] hashes = new int[1 << 4];
    private @Nullable String[] texts = new String[1 << 4];
    private int[] slots = new int[1 << 5];
    private int size;

    /** An empty pool. */
    public StringPool() {}

    /** {@return a pool of its own with the same texts under the same ids} */
    public StringPool copy() {
        StringPool copy = new StringPool();
        copy.bytes = bytes.clone();
        copy.offsets = offsets.clone();
        copy.hashes = hashes.clone();
        copy.texts = texts.clone();
        copy.slots = slots.clone();
        copy.size = size;
        return copy;
    }

    /** {@return number of texts} */
    public int size() {
        return size;
    }

    /** {@return number of bytes of all texts} */
    public int bytes() {
        return offsets[size];
    }

    /**
     * {@return the id of the text, which is added when new}
     *
     * @param text any text; halves of surrogate pairs are kept as {@code ?}
     */
    public int intern(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(encoded, encoded.length + Long.BYTES);
        return intern(padded, 0, encoded.length);
    }

    /**
     * {@return the id of the text in these bytes, which is added when new}
     *
     * @param source holds UTF-8; at least eight further bytes behind {@code end} belong to the array
     * @param start place of the first byte
     * @param end place behind the last byte
     */
    public int intern(byte[] source, int start, int end) {
        int hash = hash(source, start, end);
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (true) {
            int id = slots[slot] - 1;
            if (id < 0) {
                return add(source, start, end, hash, slot);
            }
            if (hashes[id] == hash && Arrays.equals(bytes, offsets[id], offsets[id + 1], source, start, end)) {
                return id;
            }
            slot = slot + 1 & mask;
        }
    }

    /**
     * {@return the id in this pool of a text of another one, which is added when new}
     *
     * @param other may grow no longer while this is done
     * @param id the text's id there, not -1
     */
    public int internFrom(StringPool other, int id) {
        return intern(other.bytes, other.offsets[id], other.offsets[id + 1]);
    }

    /**
     * {@return the text}
     *
     * @param id 0 to {@link #size} - 1
     */
    public String get(int id) {
        String text = texts[id];
        if (text == null) {
            text = new String(bytes, offsets[id], offsets[id + 1] - offsets[id], StandardCharsets.UTF_8);
            texts[id] = text;
        }
        return text;
    }

    /**
     * {@return number of bytes of a text in UTF-8}
     *
     * @param id 0 to {@link #size} - 1
     */
    public int length(int id) {
        return offsets[id + 1] - offsets[id];
    }

    /**
     * Copies the text in UTF-8 to a place in an array. Up to eight bytes further on may change if they belong to the
     * array.
     *
     * @param id 0 to {@link #size} - 1
     * @param into has room for the text
     * @param at where its first byte goes
     * @return the place behind its last byte
     */
    public int copy(int id, byte[] into, int at) {
        int from = offsets[id];
        int length = offsets[id + 1] - from;
        if (length <= SHORT && into.length - at >= SHORT + Long.BYTES) {
            for (int i = 0; i < length; i += Long.BYTES) {
                LONG.set(into, at + i, (long) LONG.get(bytes, from + i));
            }
        } else {
            System.arraycopy(bytes, from, into, at, length);
        }
        return at + length;
    }

    /**
     * {@return the text, or null for id -1}
     *
     * @param id -1 to {@link #size} - 1
     */
    public @Nullable String orNull(int id) {
        return id < 0 ? null : get(id);
    }

    /**
     * {@return the id of a text, or -1 when the pool does not hold it}
     *
     * @param text any text
     */
    public int find(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(encoded, encoded.length + Long.BYTES);
        int hash = hash(padded, 0, encoded.length);
        int mask = slots.length - 1;
        for (int slot = hash & mask; slots[slot] != 0; slot = slot + 1 & mask) {
            int id = slots[slot] - 1;
            if (hashes[id] == hash && Arrays.equals(bytes, offsets[id], offsets[id + 1], padded, 0, encoded.length)) {
                return id;
            }
        }
        return -1;
    }

    /**
     * Orders texts by their bytes, which is the order of their code points; no text comes first.
     *
     * @param a an id, or -1
     * @param b an id, or -1
     * @return negative, 0 or positive, as the first text comes before the second, is the same or comes after it
     */
    public int compare(int a, int b) {
        if (a == b) {
            return 0;
        }
        if (a < 0 || b < 0) {
            return Integer.compare(a, b);
        }
        return Arrays.compareUnsigned(bytes, offsets[a], offsets[a + 1], bytes, offsets[b], offsets[b + 1]);
    }

    private int add(byte[] source, int start, int end, int hash, int slot) {
        int length = end - start;
        int at = offsets[size];
        if (length > LARGEST_BLOCK - at) {
            throw new OutOfMemoryError("more than 1 GiB of different texts");
        }
        if (at + length + Long.BYTES > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, at + length + Long.BYTES));
        }
        if (size + 2 > offsets.length) {
            offsets = Arrays.copyOf(offsets, offsets.length * 2);
            hashes = Arrays.copyOf(hashes, offsets.length);
            texts = Arrays.copyOf(texts, offsets.length);
        }
        System.arraycopy(source, start, bytes, at, length);
        offsets[size + 1] = at + length;
        hashes[size] = hash;
        slots[slot] = ++size;
        if (size * 2 > slots.length) {
            rehash();
        }
        return size - 1;
    }

    private void rehash() {
        int[] larger = new int[slots.length * 2];
        int mask = larger.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = hashes[id] & mask;
            while (larger[slot] != 0) {
                slot = slot + 1 & mask;
            }
            larger[slot] = id + 1;
        }
        slots = larger;
    }

    private static int hash(byte[] b, int start, int end) {
        long h = (long) end - start;
        int p = start;
        for (; p + Long.BYTES <= end; p += Long.BYTES) {
            h = (h ^ (long) LONG.get(b, p)) * MIX;
            h ^= h >>> 29;
        }
        if (p < end) {
            long rest = (long) LONG.get(b, p) & -1L >>> (Long.BYTES - end + p) * 8;
            h = (h ^ rest) * MIX;
            h ^= h >>> 29;
        }
        h *= MIX;
        return (int) (h >>> 32);
    }
}
