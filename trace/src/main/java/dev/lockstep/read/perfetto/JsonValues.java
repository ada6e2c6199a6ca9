// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Values as JSON text. */
final class JsonValues {
    private JsonValues() {}

    /** A string with its quotes. */
    static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    /** The inside of a string. */
    static String escaped(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    /** A structure in the one spelling that the tables use. */
    static String structure(String json) {
        byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
        return new String(JsonText.respell(utf8, 0, utf8.length), StandardCharsets.UTF_8);
    }

    /** Whether a text is a value in JSON, so that it can stand among others as it is. */
    static boolean isJson(String text) {
        byte[] utf8 = text.strip().getBytes(StandardCharsets.UTF_8);
        JsonCursor cursor = new JsonCursor();
        cursor.set(Arrays.copyOf(utf8, utf8.length + JsonCursor.SLACK), 0, utf8.length + 1);
        try {
            cursor.skip();
            return cursor.pos == utf8.length && cursor.notes == 0;
        } catch (JsonCursor.Stop e) {
            return false;
        }
    }

    static String number(double value) {
        return Double.isFinite(value) ? String.valueOf(value) : quoted(String.valueOf(value));
    }
}
