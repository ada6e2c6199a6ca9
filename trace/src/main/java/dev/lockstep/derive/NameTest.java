// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Trace;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Whether the name of a slice is meant; each name is judged once. Confined to one thread. */
public final class NameTest {
    private static final byte UNKNOWN = 0;
    private static final byte MEANT = 1;
    private static final byte OTHER = 2;

    private final Trace trace;
    private final Predicate<String> meant;
    private final byte[] known;

    /** Judges the names of a trace. */
    public NameTest(Trace trace, Predicate<String> meant) {
        this.trace = trace;
        this.meant = meant;
        known = new byte[trace.strings().size()];
    }

    /** Means names in which a pattern is found. */
    public NameTest(Trace trace, Pattern pattern) {
        this(trace, pattern.asPredicate());
    }

    /** Whether the name of this slice is meant. */
    public boolean isMeant(int slice) {
        int name = trace.slices().name(slice);
        if (known[name] == UNKNOWN) {
            known[name] = meant.test(trace.strings().get(name)) ? MEANT : OTHER;
        }
        return known[name] == MEANT;
    }
}
