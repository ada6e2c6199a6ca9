// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * Arguments and further fields of events as the file wrote them: JSON text of the members of an object, without the
 * braces, in UTF-8. Immutable. To read a row, point a {@link Cursor} at it, or take its {@linkplain ArgumentTokens tokens}.
 */
public final class RecordedTexts {
    static final RecordedTexts NONE = new RecordedTexts(new TextBlocks.Block[0], new long[0]);

    private final TextBlocks.Block[] blocks;
    private final long[] places;

    RecordedTexts(TextBlocks.Block[] blocks, long[] places) {
        this.blocks = blocks;
        this.places = places;
    }

    /** {@return number of rows} */
    public int size() {
        return places.length;
    }

    /** {@return a reader of these rows; each thread needs its own} */
    public Cursor cursor() {
        return new Cursor(this);
    }

    /** {@return a reader of the arguments of these rows as tokens; each thread needs its own} */
    public ArgumentTokens tokens() {
        return new ArgumentTokens(this);
    }

    /** {@return number of dictionaries for the words of tokens} */
    public int dictionaries() {
        int most = -1;
        for (TextBlocks.Block block : blocks) {
            most = Math.max(most, block.dictionary());
        }
        return most + 1;
    }

    long place(int row) {
        return places[row];
    }

    TextBlocks.Block block(long place) {
        return blocks[(int) (place >>> 32)];
    }

    /** Where the texts of one row lie. */
    public static final class Cursor {
        private final RecordedTexts texts;
        /** Holds both texts; at least the texts themselves belong to the array. Not to be changed. */
        public byte[] bytes = new byte[0];
        /** First byte of the arguments, and the byte behind the last; equal for an empty object or none. */
        public int arguments;

        /** The byte behind the last of the arguments. */
        public int argumentsEnd;
        /** Whether the event has an object of arguments, if only an empty one. */
        public boolean hasArguments;
        /** First byte of the other fields, and the byte behind the last; equal when there are none. */
        public int fields;

        /** The byte behind the last of the other fields. */
        public int fieldsEnd;
        /** First byte of the value of the correlation among the arguments, -1 when there is none. */
        public int correlation;
        /** First byte of the value of the external id among the arguments, -1 when there is none. */
        public int externalId;

        private final SpeltArguments spelt = new SpeltArguments();
        private final RecordHead head = new RecordHead();

        private Cursor(RecordedTexts texts) {
            this.texts = texts;
        }

        /**
         * Moves to a row.
         *
         * @param row row of this table, from 0
         * @return false when nothing was written for it
         */
        public boolean move(int row) {
            long place = texts.places[row];
            if (place < 0) {
                arguments = argumentsEnd = fields = fieldsEnd = 0;
                correlation = externalId = -1;
                hasArguments = false;
                return false;
            }
            TextBlocks.Block block = texts.block(place);
            head.read(block.bytes(), (int) place);
            hasArguments = head.hasArguments;
            if (head.areTokens) {
                int tokensEnd = head.end + head.argumentsLength;
                spelt.spell(block.bytes(), head.end, tokensEnd, block.words());
                spelt.append(block.bytes(), tokensEnd, head.fieldsLength);
                bytes = spelt.bytes;
                at(0, spelt.length - head.fieldsLength, head.fieldsLength);
                correlation = spelt.correlation;
                externalId = spelt.externalId;
            } else {
                bytes = block.bytes();
                at(head.end, head.argumentsLength, head.fieldsLength);
                correlation = head.correlation < 0 ? -1 : arguments + head.correlation;
                externalId = head.externalId < 0 ? -1 : arguments + head.externalId;
            }
            return true;
        }

        private void at(int first, int argumentsLength, int fieldsLength) {
            arguments = first;
            argumentsEnd = first + argumentsLength;
            fields = argumentsEnd;
            fieldsEnd = fields + fieldsLength;
        }
    }
}
