// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of ranges in which PyTorch marks its operators ({@code emit_nvtx}): it writes numbers of the call behind the name. */
public final class RangeNames {
    private static final Pattern NUMBERS = Pattern.compile(", (?:(?:seq|op_id) = \\d|(?:sizes|input_op_ids) = \\[)");

    private RangeNames() {}

    /**
     * {@return the name alone, which all calls share}
     *
     * @param text of a range, as it was recorded
     */
    public static String plain(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        return numbers.find() ? text.substring(0, numbers.start()) : text;
    }
}
