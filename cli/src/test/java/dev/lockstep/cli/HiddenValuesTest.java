// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HiddenValuesTest {
    private static final HiddenValues HIDDEN = HiddenValues.in(
            List.of("--token", "aabaabac", "--password=ünïcode-päss"), List.of(Map.of("API_KEY", "aabaabaabac")));

    @Test
    void knownSecretsAreHiddenInTexts() {
        assertThat(HIDDEN.hide("x aabaabac, aabaabaabac; aabaab ünïcode-päss")).isEqualTo("x ***, ***; aabaab ***");
        assertThat(HiddenValues.in(List.of("--pin", "12", "--steps", "300000")).hide("12 300000"))
                .isEqualTo("12 300000");
    }

    @Test
    void partsOfSecretsAreHiddenWhereTheyStandAlone() {
        HiddenValues hidden = HiddenValues.in(
                List.of("--password", "-dashpw12345"),
                List.of(
                        Map.of("DATABASE_URL", "postgres://bob:hunterpass@db/x"),
                        Map.of("SENTRY_DSN", "host=localhost dbname=training password=dsnpass77 port=543210"),
                        Map.of("SSH_PRIVATE_KEY", "first line 11\n  second line 22\nend"),
                        Map.of("GCP_CREDENTIALS", "{\"type\": \"service_account\", \"id\": \"jsonpriv55\"}"),
                        Map.of("COOKIE", "sid=abc123def; other=cookie2value")));

        assertThat(hidden.hide("-dashpw12345 hunterpass dsnpass77 jsonpriv55 abc123def cookie2value"))
                .isEqualTo("*** *** *** *** *** ***");
        assertThat(hidden.hide("first line 11\nsecond line 22\n")).isEqualTo("***\n***\n");
        assertThat(hidden.hide("training on localhost, service_account 543210"))
                .isEqualTo("training on localhost, service_account 543210");
    }

    @Test
    void secretsAreHiddenAsOtherProgramsQuoteThem() {
        HiddenValues hidden = HiddenValues.in(List.of(), List.of(Map.of("A_SECRET", "it's \"ü\" 1\\2\n3")));

        for (String text : List.of(
                "it's \"ü\" 1\\2\n3",
                "it's \\\"ü\\\" 1\\\\2\\n3",
                "it\\'s \"ü\" 1\\\\2\\n3",
                "it's \\\"\\u00fc\\\" 1\\\\2\\n3")) {
            assertThat(hidden.hide("<" + text + ">")).isEqualTo("<***>");
        }
    }

    /** A secret that is the beginning of another one waits for what comes behind it. */
    @Test
    void aSecretThatBeginsAnotherOneShowsNothingOfIt() throws IOException {
        HiddenValues hidden =
                HiddenValues.in(List.of(), List.of(Map.of("A_TOKEN", "abcdefgh", "B_TOKEN", "abcdefgh-WRITE-tail")));
        InputStream pieces = new SequenceInputStream(
                new ByteArrayInputStream("x abcdefgh".getBytes(UTF_8)),
                new ByteArrayInputStream("-WRITE-tail y abcdefgh".getBytes(UTF_8)));

        assertThat(new String(hidden.around(pieces).readAllBytes(), UTF_8)).isEqualTo("x *** y ***");
    }

    /** Whatever pieces the stream comes in, of texts that nearly are secrets. */
    @Test
    void streamsGiveTheSameAsTexts() throws IOException {
        Random random = new Random(19);
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(30); i >= 0; i--) {
                text.append(List.of("a", "aab", "aabaabac", "aabaabaabac", "ü", "ünïcode-päss", "\n", " ")
                        .get(random.nextInt(8)));
            }
            byte[] bytes = text.toString().getBytes(UTF_8);
            InputStream pieces = new FilterInputStream(new ByteArrayInputStream(bytes)) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    return super.read(into, offset, Math.min(length, 1 + random.nextInt(7)));
                }
            };
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            HIDDEN.around(pieces).transferTo(copied);

            assertThat(copied.toString(UTF_8)).doesNotContain("aabaabac").doesNotContain("ünïcode-päss");
            assertThat(copied.toString(UTF_8).replace("***", "")).hasSizeLessThanOrEqualTo(text.length());
        }
        assertThat(new String(
                        HIDDEN.around(new ByteArrayInputStream("aab aabaabac aabaa".getBytes(UTF_8)))
                                .readAllBytes(),
                        UTF_8))
                .isEqualTo("aab *** aabaa");
    }
}
