// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How to record of the host what a trace lacks, by its format; what the trace has is not asked for. */
final class HostHints {
    private static final String NSYS = "nsys-sqlite";
    private static final String SYSTEM_CALLS = "osrt";

    private static final Map<String, String> HOST = Map.of(
            TraceFormat.ROCPROF.id(),
            "rocprofv3 --sys-trace records it",
            TraceFormat.KINETO.id(),
            "ProfilerActivity.CPU records it",
            NSYS,
            "nsys profile --trace=cuda,nvtx,osrt records it");

    private HostHints() {}

    /** How to record the host, in brackets behind a blank; the empty text where nothing is known. */
    static String host(Trace trace) {
        String hint = HOST.get(trace.info().format());
        return hint == null ? "" : " (" + hint + ")";
    }

    /** How to record more of the host, as a part of a sentence; the empty text where nothing is known or lacking. */
    static String more(Trace trace) {
        Set<SliceKind> kinds = kinds(trace.slices());
        String format = trace.info().format();
        if (format.equals(TraceFormat.KINETO.id())) {
            return kinds.contains(SliceKind.PYTHON) ? "" : "with_stack=True shows the frames of Python";
        }
        if (!format.equals(NSYS)) {
            return "";
        }
        List<String> wanted = new ArrayList<>();
        if (trace.strings().find(SYSTEM_CALLS) < 0) {
            wanted.add("calls of the operating system (--trace=osrt)");
        }
        if (!kinds.contains(SliceKind.ANNOTATION) && !kinds.contains(SliceKind.CPU_OP)) {
            wanted.add("ranges of NVTX");
        }
        return wanted.isEmpty() ? "" : String.join(" and ", wanted) + " tell more";
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
