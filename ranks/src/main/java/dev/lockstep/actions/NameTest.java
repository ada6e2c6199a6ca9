// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.model.Trace;
import java.util.regex.Pattern;

/** Whether a pattern is found in the name of a slice; each name is judged once. Confined to one thread. */
final class NameTest {
    private static final byte UNKNOWN = 0;
    private static final byte FOUND = 1;
    private static final byte ABSENT = 2;

    private final Trace trace;
    private final Pattern pattern;
    private final byte[] known;

    NameTest(Trace trace, Pattern pattern) {
        this.trace = trace;
        this.pattern = pattern;
        known = new byte[trace.strings().size()];
    }

    boolean isFound(int slice) {
        int name = trace.slices().name(slice);
        if (known[name] == UNKNOWN) {
            known[name] = pattern.matcher(trace.strings().get(name)).find() ? FOUND : ABSENT;
        }
        return known[name] == FOUND;
    }
}
