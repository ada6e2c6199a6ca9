// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * Arguments and further fields of events as the file wrote them: JSON text of the members of an object, without the
 * braces, in UTF-8. Immutable. To read a row, point a {@link Cursor} at it; nothing is copied.
 */
public final class RecordedTexts {
    private final byte[][] blocks;
    private final long[] places;

    RecordedTexts(byte[][] blocks, long[] places) {
        this.blocks = blocks;
        this.places = places;
    }

    /** Number of rows. */
    public int size() {
        return places.length;
    }

    /** A reader of these rows; each thread needs its own. */
    public Cursor cursor() {
        return new Cursor(this);
    }

    /** Where the texts of one row lie. */
    public static final class Cursor {
        private final RecordedTexts texts;
        /** Holds both texts; at least the texts themselves belong to the array. Not to be changed. */
        public byte[] bytes = new byte[0];
        /** First byte of the arguments, and the byte behind the last; equal for an empty object or none. */
        public int arguments;

        public int argumentsEnd;
        /** Whether the event has an object of arguments, if only an empty one. */
        public boolean hasArguments;
        /** First byte of the other fields, and the byte behind the last; equal when there are none. */
        public int fields;

        public int fieldsEnd;
        /** First byte of the value of the correlation among the arguments, -1 when there is none. */
        public int correlation;
        /** First byte of the value of the external id among the arguments, -1 when there is none. */
        public int externalId;

        private int at;

        private Cursor(RecordedTexts texts) {
            this.texts = texts;
        }

        /** Moves to a row; false when nothing was written for it. */
        public boolean move(int row) {
            long place = texts.places[row];
            if (place < 0) {
                arguments = argumentsEnd = fields = fieldsEnd = 0;
                correlation = externalId = -1;
                hasArguments = false;
                return false;
            }
            bytes = texts.blocks[(int) (place >>> 32)];
            at = (int) place;
            int argumentsLength = number();
            int fieldsLength = number();
            int correlationPlace = number() - 1;
            int externalIdPlace = number() - 1;
            hasArguments = argumentsLength > 0;
            arguments = at;
            argumentsEnd = at + Math.max(0, argumentsLength - 1);
            fields = argumentsEnd;
            fieldsEnd = fields + fieldsLength;
            correlation = correlationPlace < 0 ? -1 : arguments + correlationPlace;
            externalId = externalIdPlace < 0 ? -1 : arguments + externalIdPlace;
            return true;
        }

        private int number() {
            int value = 0;
            int shift = 0;
            int b;
            do {
                b = bytes[at++];
                value |= (b & 0x7F) << shift;
                shift += 7;
            } while (b < 0);
            return value;
        }
    }
}
