// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a request, collected so that it is said all at once. */
public final class Problems {
    private static final int LONGEST_NUMBER = 9;

    private final List<String> found = new ArrayList<>();

    public void add(String problem) {
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    /** The whole number from 1 to {@code most} that the text is; 0, and a problem, if it is none. */
    int count(String what, String text, int most) {
        boolean digits = !text.isEmpty()
                && text.length() <= LONGEST_NUMBER
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(text) : 0;
        if (number >= 1 && number <= most && text.charAt(0) != '0') {
            return number;
        }
        String range = most == Integer.MAX_VALUE ? "of at least 1" : "from 1 to " + most;
        add(what + ": '" + text + "' is no whole number " + range);
        return 0;
    }

    /** Throws if there is any. */
    public void check() {
        if (!found.isEmpty()) {
            throw new UserException(ErrorCode.OPTION_INVALID, String.join("\nlockstep: ", found), null);
        }
    }
}
