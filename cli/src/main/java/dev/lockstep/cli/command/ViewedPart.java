// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The option {@code --at}: the part of a trace to show, as two times in ns.
 *
 * @param text as the user gave it, null for all
 */
record ViewedPart(@Nullable String text) {
    private static final String TIME = "(\\d{1,18}|[1-8]\\d{18})";
    private static final Pattern PART = Pattern.compile(TIME + "-" + TIME);

    /**
     * What the address of the Perfetto UI says about the part, as its documentation describes it.
     *
     * @throws UserException when it is no part
     */
    String query() {
        return spelt("&visStart=", "&visEnd=");
    }

    /**
     * What the address of a page of reports says about the part.
     *
     * @throws UserException when it is no part
     */
    String fragment() {
        return spelt("#timeline&at=", "-");
    }

    private String spelt(String first, String second) {
        if (text == null) {
            return "";
        }
        Matcher part = PART.matcher(text);
        if (!part.matches() || Long.parseLong(part.group(1)) >= Long.parseLong(part.group(2))) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--at " + text + ": this is no part of a trace",
                    "Two times in ns, the earlier first, as in --at 1000000-2500000.");
        }
        return first + part.group(1) + second + part.group(2);
    }
}
