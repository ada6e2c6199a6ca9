// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.export;

import dev.lockstep.replay.plan.ReplayGap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** The fixed parts of exported programs. */
final class Templates {
    private Templates() {}

    static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Templates.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** JSON as it can stand between three single quotes. */
    static String quotable(String json) {
        return json.replace("'", "\\u0027").strip();
    }

    /** What the reasons mean, as a JSON object. */
    static String meanings() {
        return quotable(Arrays.stream(ReplayGap.values())
                .map(gap -> "\"" + gap.code() + "\": \"" + gap.words() + "\"")
                .collect(Collectors.joining(",\n", "{", "}")));
    }
}
