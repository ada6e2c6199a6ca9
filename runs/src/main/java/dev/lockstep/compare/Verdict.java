// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import java.util.Locale;

/** What a change means. */
public enum Verdict {
    /** Changed for the better by more than the threshold. */
    BETTER,
    /** Changed for the worse by more than the threshold. */
    WORSE,
    /** Changed by no more than the threshold. */
    SAME,
    /** Changed by more than the threshold, but the 95 % interval of the change holds 0 or is not known. */
    UNCLEAR,
    /** The baseline has none of it; there is no percentage. */
    NEW,
    /** The baseline alone has it. */
    GONE,
    /** There is nothing to compare. */
    UNKNOWN;

    @Override
    public String toString() {
        return this == UNKNOWN ? "n/a" : name().toLowerCase(Locale.ROOT);
    }
}
