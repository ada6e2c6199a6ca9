// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.KnownText;
import dev.lockstep.model.RecordedText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The text between the values of two fields that follow one another, from a comma to the colon of the next key, and
 * what the value behind it is. Profilers write the same gaps again and again; one that was met before costs a comparison,
 * and so does a value that was met behind it last time.
 */
final class Gap {
    /** What the value behind the gap is. */
    static final int END = 0;

    static final int PHASE = 1;
    static final int TS = 2;
    static final int DUR = 3;
    static final int NAME = 4;
    static final int CATEGORY = 5;
    static final int PROCESS = 6;
    static final int THREAD = 7;
    static final int ID = 8;
    static final int OTHER = 9;
    static final int NO_ARGUMENTS = 10;
    static final int ARGUMENT = 11;

    private static final int MOST_FOLLOWERS = 6;

    /** What the value is. */
    final int what;
    /** The argument, null for one that means nothing to the program; and for all that is none. */
    final @Nullable ArgKey argument;
    /** Whether the value lies among the arguments. */
    final boolean inside;
    /** Whether arguments begin in the gap, if only an empty object. */
    final boolean opens;
    /** The key of the value in quotes, followed by a colon and eight bytes of no meaning. */
    final byte[] key;

    final int keyLength;
    /** Number of the argument's key among the words of what is recorded; 0 when nothing is. */
    final int word;
    /** Length of the whole gap. */
    int length;

    private final KnownText text = new KnownText();
    private @Nullable Gap first;
    private final @Nullable Gap[] others = new Gap[MOST_FOLLOWERS - 1];

    private final KnownText value = new KnownText();
    private int valueId;

    /**
     * @param key what {@link #key(byte[], int, int)} made
     * @param texts takes what is recorded of events; null when nothing is
     */
    Gap(int what, boolean inside, boolean opens, byte[] key, @Nullable RecordedText texts) {
        this.what = what;
        this.inside = inside;
        this.opens = opens;
        this.key = key;
        this.keyLength = key.length - 1 - Long.BYTES;
        this.argument = what == ARGUMENT ? ArgKey.of(key, 1, keyLength - 1) : null;
        this.word = texts == null || what != ARGUMENT ? 0 : texts.word(key, 0, keyLength + 1);
    }

    /** A key in quotes, followed by a colon and eight bytes of no meaning; {@code from == to} for none. */
    static byte[] key(byte[] source, int from, int to) {
        byte[] key = Arrays.copyOf(Arrays.copyOfRange(source, from, to), to - from + 1 + Long.BYTES);
        key[to - from] = ':';
        return key;
    }

    /** States where the gap itself is: from its first byte to the byte behind its last. */
    void text(byte[] source, int from, int to) {
        length = to - from;
        if (length <= KnownText.LONGEST) {
            text.set(source, from, to);
        }
    }

    /** The place before the first field of an event. */
    static Gap beforeEvent() {
        byte[] nothing = new byte[JsonCursor.SLACK];
        Gap gap = new Gap(OTHER, false, false, key(nothing, 0, 0), null);
        gap.text(nothing, 0, 0);
        return gap;
    }

    /** The gap that stands at this place, if it followed this one before. */
    @Nullable
    Gap next(byte[] source, int at) {
        Gap likely = first;
        if (likely != null && likely.text.isAt(source, at)) {
            return likely;
        }
        return rarer(source, at);
    }

    private @Nullable Gap rarer(byte[] source, int at) {
        for (int i = 0; i < others.length; i++) {
            Gap other = others[i];
            if (other == null) {
                return null;
            }
            if (other.text.isAt(source, at)) {
                others[i] = i == 0 ? first : others[i - 1];
                if (i > 0) {
                    others[i - 1] = other;
                } else {
                    first = other;
                }
                return other;
            }
        }
        return null;
    }

    /** States that a gap followed this one. */
    void add(Gap follower) {
        if (first == null) {
            first = follower;
            return;
        }
        int i = 0;
        while (i < others.length - 1 && others[i] != null) {
            i++;
        }
        others[i] = follower;
    }

    /** Whether the value at this place is the one that was remembered; it takes {@link #valueLength} bytes. */
    boolean isKnownValue(byte[] source, int at) {
        return value.isAt(source, at);
    }

    int valueLength() {
        return value.length() - 1;
    }

    /** What was remembered with the value. */
    int valueId() {
        return valueId;
    }

    /** Remembers a sound value, with the byte behind it, which tells where it ends. */
    void remember(byte[] source, int from, int to, int id) {
        if (to - from >= KnownText.LONGEST || source[to] == 0) {
            return;
        }
        value.set(source, from, to + 1);
        valueId = id;
    }
}
