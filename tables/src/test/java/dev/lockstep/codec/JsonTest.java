// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void aCutFileIsNotWhole(@TempDir Path folder) throws IOException {
        String text = "{\"a\": [1, NaN, {\"b\": \"}\"}], \"c\": {}}\n";
        for (int end = 0; end < text.length() - 2; end++) {
            assertThat(Json.isWhole(Files.writeString(folder.resolve("cut.json"), text.substring(0, end))))
                    .as(text.substring(0, end))
                    .isFalse();
        }
        assertThat(Json.isWhole(Files.writeString(folder.resolve("whole.json"), text)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[1, 2", "{\"a\": Infinite}", "{\"a\" 1}", "[-Infinity", "[01]", "\"a\nb\"", "[[[[", "[[[1"})
    void whatIsWrongIsSaidWithoutWordsOfTheLibrary(String text) {
        JsonProcessingException wrong = catchThrowableOfType(JsonProcessingException.class, () -> {
            try (var parser = Json.UNLIMITED
                    .rebuild()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(3).build())
                    .build()
                    .createParser(text)) {
                while (parser.nextToken() != null) {
                    // to what is wrong
                }
            }
        });

        assertThat(Json.problem(wrong)).doesNotContain("`", "Source:", "Feature", "StreamRead");
    }
}
