// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Lists of an operator's arguments. Ascend's profiler writes them as one text, with a semicolon behind each argument but
 * the last: shapes as {@code 32,3;\r\n;\r\n} for {@code [[32, 3], [], []]}, types as {@code float;\r\nScalar} for
 * {@code ["float", "Scalar"]}. Anything else is JSON.
 */
final class ArgumentList {
    private static final Pattern SHAPES = Pattern.compile("[0-9,;\\s]*[0-9;][0-9,;\\s]*");

    private ArgumentList() {}

    /** The list as compact JSON. */
    static byte[] respell(byte[] bytes, int start, int end) {
        if (bytes[start] == '"' && end - start > 2 && bytes[start + 1] != '[') {
            String text = JsonText.decode(bytes, start + 1, end - 1);
            boolean shapes = SHAPES.matcher(text).matches();
            StringBuilder json = new StringBuilder();
            for (String argument : text.split(";", -1)) {
                json.append(json.isEmpty() ? "[" : ", ");
                if (shapes) {
                    json.append('[')
                            .append(argument.strip().replaceAll("\\s*,\\s*", ", "))
                            .append(']');
                } else {
                    JsonText.quote(argument.strip(), json);
                }
            }
            return json.append(']').toString().getBytes(StandardCharsets.UTF_8);
        }
        return JsonText.respell(bytes, start, end);
    }
}
