// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write.perfetto;

import dev.lockstep.codec.KnownText;
import org.jspecify.annotations.Nullable;

/**
 * The name of an argument where it followed a certain other one, and what its value became last time: events repeat one
 * another, and what is known costs a comparison.
 */
final class ArgumentName {
    private static final int MOST_FOLLOWERS = 6;

    private final KnownText text = new KnownText();
    private final int length;
    private final int number;
    private @Nullable ArgumentName first;
    private final @Nullable ArgumentName[] others = new ArgumentName[MOST_FOLLOWERS - 1];
    private final KnownText value = new KnownText();
    private byte[] annotation = new byte[16];
    private int annotationLength;

    /** The place before the first argument. */
    ArgumentName() {
        length = 0;
        number = 0;
    }

    /**
     * @param from first byte of the name, which is a quote
     * @param to the byte behind the colon
     * @param number the number of the interned name
     */
    ArgumentName(byte[] source, int from, int to, int number) {
        this.length = to - from;
        this.number = number;
        if (length <= KnownText.LONGEST) {
            text.set(source, from, to);
        }
    }

    /** Bytes up to the value. */
    int length() {
        return length;
    }

    int number() {
        return number;
    }

    /** The name that stands at this place, if it followed this one before. */
    @Nullable
    ArgumentName next(byte[] source, int at) {
        ArgumentName likely = first;
        return likely != null && likely.text.isAt(source, at) ? likely : rarer(source, at);
    }

    private @Nullable ArgumentName rarer(byte[] source, int at) {
        for (int i = 0; i < others.length; i++) {
            ArgumentName other = others[i];
            if (other == null) {
                return null;
            }
            if (other.text.isAt(source, at)) {
                others[i] = first;
                first = other;
                return other;
            }
        }
        return null;
    }

    /** States that a name followed this one. */
    void add(ArgumentName follower) {
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

    /** Adds the annotation of last time if the value at this place is that of last time. */
    boolean repeat(byte[] source, int at, ProtoBuffer event) {
        if (!value.isAt(source, at)) {
            return false;
        }
        event.put(annotation, annotationLength);
        return true;
    }

    /** Bytes of the value of last time. */
    int valueLength() {
        return value.length();
    }

    /** Keeps what a value became: what the event got from {@code begun} on. */
    void remember(byte[] source, int from, int to, ProtoBuffer event, int begun) {
        if (to - from > KnownText.LONGEST) {
            return;
        }
        value.set(source, from, to);
        annotationLength = event.size() - begun;
        if (annotationLength > annotation.length) {
            annotation = new byte[annotationLength + 16];
        }
        System.arraycopy(event.bytes(), begun, annotation, 0, annotationLength);
    }
}
