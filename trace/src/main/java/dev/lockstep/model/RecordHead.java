// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the beginning of a record says about the rest; {@link RecordedText#write} has the layout. Reused. */
final class RecordHead {
    /** The byte behind the head, where the arguments begin. */
    int end;

    /** Whether the event has an object of arguments, if only an empty one. */
    boolean hasArguments;
    /** Whether the arguments are tokens, not text. */
    boolean areTokens;
    /** Bytes of the arguments and, behind them, of the other fields. */
    int argumentsLength;

    int fieldsLength;
    /** Where the value of the correlation begins in arguments that are text, -1 when there is none; so for the external id. */
    int correlation;

    int externalId;

    private byte[] block = new byte[0];

    /** Reads the head of the record that begins there. */
    void read(byte[] bytes, int at) {
        block = bytes;
        end = at;
        int head = number();
        fieldsLength = number();
        hasArguments = head > 1;
        areTokens = (head & 1) != 0;
        argumentsLength = Math.max(0, (head >>> 1) - 1);
        if (!areTokens) {
            correlation = number() - 1;
            externalId = number() - 1;
        }
    }

    private int number() {
        int value = 0;
        int shift = 0;
        int b;
        do {
            b = block[end++];
            value |= (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        return value;
    }
}
