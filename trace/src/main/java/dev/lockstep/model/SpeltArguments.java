// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Tokens of arguments turned back into the text they came from. Reused. */
final class SpeltArguments {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    /** The text, up to {@link #length}. */
    byte[] bytes = new byte[1 << 10];

    int length;
    /** First byte of the value of the correlation, -1 when there is none; so for the external id. */
    int correlation;

    int externalId;

    private final ArgumentTokens reader = new ArgumentTokens(RecordedTexts.NONE);

    /** Spells the tokens in this range, behind which eight more bytes belong to the array. */
    void spell(byte[] tokens, int from, int to, StringPool words) {
        length = 0;
        correlation = -1;
        externalId = -1;
        ArgumentTokens token = reader;
        token.begin(tokens, from, to);
        while (token.next()) {
            if (length > 0) {
                bytes[length++] = ',';
            }
            word(token.key, words);
            role(token.role);
            if (token.kind == ArgumentTokens.WORD) {
                word(token.word, words);
            } else {
                append(tokens, token.from, token.to - token.from);
            }
        }
    }

    private void role(int role) {
        if (role == RecordedText.CORRELATION) {
            correlation = length;
        } else if (role == RecordedText.EXTERNAL_ID) {
            externalId = length;
        }
    }

    private void word(int id, StringPool words) {
        room(words.length(id));
        length = words.copy(id, bytes, length);
    }

    /** Adds bytes as they are. */
    void append(byte[] source, int from, int count) {
        room(count);
        if (count <= ArgumentTokens.MOST_DIGITS) {
            for (int i = 0; i < count; i += Long.BYTES) {
                LONG.set(bytes, length + i, (long) LONG.get(source, from + i));
            }
        } else {
            System.arraycopy(source, from, bytes, length, count);
        }
        length += count;
    }

    /** Room for that many bytes, a comma, and eight bytes without meaning. */
    private void room(int more) {
        if (length + more + 1 + Long.BYTES > bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2 + more);
        }
    }
}
