// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonOutTest {
    private static final JsonObject SAMPLE = new JsonObject()
            .with("b", 1)
            .with("a", List.of("x\"\n", true))
            .with("none", null)
            .with("empty", Map.of());

    @Test
    void valuesAreSpeltByTheirShapeAndMembersKeepTheirOrder() {
        assertThat(SAMPLE).hasToString("{\"b\":1,\"a\":[\"x\\\"\\n\",true],\"none\":null,\"empty\":{}}");
        assertThat(JsonOut.line(new int[] {1, -2})).isEqualTo("[1,-2]");
        assertThat(JsonOut.line(new long[] {Long.MIN_VALUE})).isEqualTo("[-9223372036854775808]");
        assertThat(JsonOut.line(Arrays.asList(1.5, null, 1e300))).isEqualTo("[1.5,null,1.0E300]");
        assertThat(JsonOut.line(new JsonOut.Spelt("[[1], {}]"))).isEqualTo("[[1], {}]");
        assertThat(JsonOut.line(List.of(new BigDecimal("1E+3"), BigInteger.TWO.pow(64))))
                .isEqualTo("[1000,18446744073709551616]");
    }

    @Test
    void numbersThatJsonCannotSpellAreNull() {
        assertThat(JsonOut.line(List.of(Double.NaN, Double.POSITIVE_INFINITY))).isEqualTo("[null,null]");
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        assertThat(new JsonObject()
                        .withKnown("a", (Object) null)
                        .withKnown("b", -1)
                        .withKnown("c", 0)
                        .withKnown("d", ""))
                .hasToString("{\"c\":0,\"d\":\"\"}");
    }

    @Test
    void whatHasNoShapeIsRefused() {
        assertThatThrownBy(() -> JsonOut.line(new Object())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theWriterStaysOpenForWhatFollows() throws IOException {
        StringWriter text = new StringWriter();
        JsonOut.pretty(SAMPLE, text);
        text.write("\n");
        JsonOut.indented(SAMPLE, text);

        assertThat(text).hasToString("""
                {
                  "b" : 1,
                  "a" : [ "x\\"\\n", true ],
                  "none" : null,
                  "empty" : { }
                }
                {
                  "b": 1,
                  "a": [
                    "x\\"\\n",
                    true
                  ],
                  "none": null,
                  "empty": { }
                }""");
    }
}
