// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;

/** Which frames of the Python stack are modules of the network. Each name is looked at once. Confined to one thread. */
public final class ModuleFrames {
    /** How the profiler begins the names of such frames. */
    public static final String PREFIX = "nn.Module:";

    private static final byte YES = 1;
    private static final byte NO = 2;

    private final Trace trace;
    private final byte[] known;

    public ModuleFrames(Trace trace) {
        this.trace = trace;
        known = new byte[trace.strings().size()];
    }

    public boolean isModule(int slice) {
        if (trace.slices().kind(slice) != SliceKind.PYTHON) {
            return false;
        }
        int name = trace.slices().name(slice);
        if (known[name] == 0) {
            known[name] = trace.strings().get(name).startsWith(PREFIX) ? YES : NO;
        }
        return known[name] == YES;
    }

    /** Whether the trace has any. */
    public boolean isAny() {
        for (int slice = 0; slice < trace.slices().size(); slice++) {
            if (isModule(slice)) {
                return true;
            }
        }
        return false;
    }
}
