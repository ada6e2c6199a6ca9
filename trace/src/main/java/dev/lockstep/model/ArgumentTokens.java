// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Goes through the arguments of events as tokens: each has the number of its key, and its value as digits, as the number
 * of a word, or as text. Words are numbered anew in each dictionary. Each thread needs its own.
 *
 * <p>A token is a number, seven bits to a byte, of the key (upper bits), what it means (2 bits) and its kind (2 bits);
 * then the digits behind one byte with their number, or the number of a word, or the bytes of a text behind their number.
 */
public final class ArgumentTokens {
    /** The most digits of a value that is a token of digits. */
    public static final int MOST_DIGITS = 18;

    /** Kinds: a whole number without a sign, a word, a text. */
    public static final int DIGITS = 0;

    /** Kind: a text that many events share, kept once. */
    public static final int WORD = 1;
    /** Kind: a text of this event alone. */
    public static final int TEXT = 2;

    /** Bits of the first byte of a token that tell what it means. */
    static final int ROLES = 0xC;

    private static final TextBlocks.Block NONE = new TextBlocks.Block(new byte[0], new StringPool(), 0);
    private static final int KIND = 3;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long ZEROS = 0x3030303030303030L;
    private static final long PAIRS = 0xFF000000FFL;

    /** Holds the token's digits or text, and eight bytes more. Not to be changed. */
    public byte[] bytes = new byte[0];
    /** First byte of the digits or the text. */
    public int from;
    /** The byte behind the last. */
    public int to;
    /** Which kind the token is. */
    public int kind;
    /** The word that the key is, in quotes and with the colon. */
    public int key;
    /** The word that the value is. */
    public int word;
    /** One of the meanings in {@link RecordedText}. */
    public int role;

    private final RecordedTexts texts;
    private int at;
    private int end;
    private final RecordHead head = new RecordHead();
    private TextBlocks.Block block = NONE;

    ArgumentTokens(RecordedTexts texts) {
        this.texts = texts;
    }

    /**
     * Moves to a row.
     *
     * @param row row of this table, from 0
     * @return whether its arguments are there as tokens
     */
    public boolean move(int row) {
        long place = texts.place(row);
        if (place < 0) {
            return false;
        }
        block = texts.block(place);
        bytes = block.bytes();
        head.read(bytes, (int) place);
        at = head.end;
        end = at + head.argumentsLength;
        return head.areTokens;
    }

    /** Moves to the tokens in this range, behind which eight more bytes belong to the array. */
    void begin(byte[] source, int first, int behindLast) {
        bytes = source;
        at = first;
        end = behindLast;
    }

    /**
     * Goes to the next token of the row.
     *
     * @return false behind the last
     */
    public boolean next() {
        if (at >= end) {
            return false;
        }
        int begin = varint();
        key = begin >>> 4;
        role = (begin & ROLES) >>> 2;
        kind = begin & KIND;
        if (kind == WORD) {
            word = varint();
            return true;
        }
        int length = kind == DIGITS ? bytes[at++] : varint();
        from = at;
        at += length;
        to = at;
        return true;
    }

    /** {@return whether the event has further fields, as text} */
    public boolean hasFields() {
        return head.fieldsLength > 0;
    }

    /** {@return number of the dictionary of the row's words, below {@link RecordedTexts#dictionaries}} */
    public int dictionary() {
        return block.dictionary();
    }

    /** {@return the words of the row} */
    public StringPool words() {
        return block.words();
    }

    /** How a token begins. */
    static int head(int key, int role, int kind) {
        return key << 4 | role << 2 | kind;
    }

    /** {@return the number that the token's digits are} */
    public long digits() {
        int length = to - from;
        if (length > Long.BYTES) {
            long value = 0;
            for (int p = from; p < to; p++) {
                value = value * 10 + bytes[p] - '0';
            }
            return value;
        }
        // Eight digits at once, missing ones in front being 0: neighbours are joined to pairs, these to fours, these to
        // one.
        long d = (long) LONG.get(bytes, from) - ZEROS << Long.SIZE - length * Byte.SIZE;
        d = d * 10 + (d >>> 8);
        return ((d & PAIRS) * 0xF424000000064L + (d >>> 16 & PAIRS) * 0x271000000001L) >>> 32;
    }

    private int varint() {
        int b = bytes[at++];
        return b >= 0 ? b : longer(b & 0x7F);
    }

    private int longer(int lowest) {
        int value = lowest;
        int shift = 7;
        int b;
        do {
            b = bytes[at++];
            value |= (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        return value;
    }
}
