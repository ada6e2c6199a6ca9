// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** How to record of the host what a trace lacks, by its format; what the trace has is not asked for. */
final class HostHints {
    private static final String SYSTEM_CALLS = "osrt";

    private HostHints() {}

    /** How to record more of the host, as a sentence with a blank before it; the empty text where nothing is known or lacking. */
    static String more(Trace trace) {
        Set<SliceKind> kinds = kinds(trace.slices());
        RecordingTool recorder = RecordingTool.of(trace);
        if (recorder.isTorch()) {
            return kinds.contains(SliceKind.PYTHON) ? "" : " Record with_stack=True to see Python frames.";
        }
        if (recorder != RecordingTool.NSYS) {
            return "";
        }
        List<String> wanted = new ArrayList<>();
        if (trace.strings().find(SYSTEM_CALLS) < 0) {
            wanted.add("operating system calls (--trace=osrt)");
        }
        if (!kinds.contains(SliceKind.ANNOTATION) && !kinds.contains(SliceKind.CPU_OP)) {
            wanted.add("NVTX ranges");
        }
        return wanted.isEmpty() ? "" : " Record " + String.join(" and ", wanted) + " to see more.";
    }

    /** The kinds of slices that a trace has. */
    static Set<SliceKind> kinds(Slices slices) {
        Set<SliceKind> kinds = EnumSet.noneOf(SliceKind.class);
        for (int i = 0; i < slices.size(); i++) {
            kinds.add(slices.kind(i));
        }
        return kinds;
    }
}
