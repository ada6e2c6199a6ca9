// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.testkit.Message;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTest {
    private static String value(String json) throws Damaged {
        byte[] bytes = new Message()
                .message(2, new Message().text(1, "key").text(5, json))
                .toBytes();
        ProtoCursor in = new ProtoCursor();
        in.set(Arrays.copyOf(bytes, bytes.length + 8), 0, bytes.length);
        return Metadata.read(in).getOrDefault("key", "none");
    }

    @Test
    void valuesAreHandedOnAsTheyAreWritten() throws Damaged {
        assertThat(value("{\"a\": [1, \"b\"]}")).isEqualTo("{\"a\": [1, \"b\"]}");
    }

    /** Else what is merged from them would be no JSON. */
    @ParameterizedTest
    @ValueSource(
            strings = {"{\"a\": \"b\u0013\"}", "NaN", "{\"a\": 007}", "{\"a\": \"\\q\"}", "{", "1}, {\"b\": 1", ""})
    void whatIsNoJsonIsHandedOnAsText(String text) throws Damaged {
        assertThat(value(text)).isEqualTo(JsonValues.quoted(text));
    }
}
