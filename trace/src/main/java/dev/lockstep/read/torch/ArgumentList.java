// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of an operator's arguments. Ascend's profiler writes them as one text, with a semicolon behind each argument but
 * the last: shapes as {@code 32,3;\r\n;\r\n} for {@code [[32, 3], [], []]}, types as {@code float;\r\nScalar} for
 * {@code ["float", "Scalar"]}. Anything else is JSON.
 */
final class ArgumentList {
    private ArgumentList() {}

    /** The list as compact JSON. */
    static byte[] respell(byte[] bytes, int start, int end) {
        if (bytes[start] == '"' && end - start > 2 && bytes[start + 1] != '[') {
            String text = JsonText.decode(bytes, start + 1, end - 1);
            String shapes = shapes(text);
            return (shapes == null ? words(text) : shapes).getBytes(StandardCharsets.UTF_8);
        }
        return JsonText.respell(bytes, start, end);
    }

    private static String words(String text) {
        StringBuilder json = new StringBuilder();
        for (String argument : text.split(";", -1)) {
            json.append(json.isEmpty() ? "[" : ", ");
            JsonText.quote(argument.strip(), json);
        }
        return json.append(']').toString();
    }

    /** Null where something else than shapes is listed. */
    private static @Nullable String shapes(String text) {
        List<String> shapes = new ArrayList<>();
        for (String argument : text.split(";", -1)) {
            List<String> sizes = new ArrayList<>();
            for (String size : argument.isBlank() ? new String[0] : argument.split(",", -1)) {
                String number = size.strip();
                if (!JsonCursor.isNumber(number) || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
                    return null;
                }
                sizes.add(number);
            }
            shapes.add(sizes.toString());
        }
        return text.isBlank() ? null : shapes.toString();
    }
}
