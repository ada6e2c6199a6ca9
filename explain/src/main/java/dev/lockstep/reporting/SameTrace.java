// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;

/** Tells whether two traces are the same recording, whatever their files are called and however they are packed. */
final class SameTrace {
    private SameTrace() {}

    /** Whether both hold events, and each of the one has the kind, name, begin and length of that of the other. */
    static boolean of(Trace one, Trace two) {
        Slices a = one.slices();
        Slices b = two.slices();
        boolean same = a.size() == b.size()
                && a.size() > 0
                && one.info().originNs() == two.info().originNs();
        for (int i = 0; i < a.size() && same; i++) {
            same = a.ts(i) == b.ts(i)
                    && a.dur(i) == b.dur(i)
                    && a.kind(i) == b.kind(i)
                    && one.name(i).equals(two.name(i));
        }
        return same;
    }
}
