// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonText;
import dev.lockstep.read.AscendTexts;
import java.nio.charset.StandardCharsets;

/** Lists of an operator's arguments: JSON, or a text of Ascend's profiler. */
final class ArgumentList {
    private ArgumentList() {}

    /** The list as compact JSON. */
    static byte[] respell(byte[] bytes, int start, int end) {
        if (bytes[start] == '"' && end - start > 2 && bytes[start + 1] != '[') {
            return AscendTexts.list(JsonText.decode(bytes, start + 1, end - 1)).getBytes(StandardCharsets.UTF_8);
        }
        return JsonText.respell(bytes, start, end);
    }
}
