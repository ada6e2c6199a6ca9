// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import java.util.regex.Pattern;

/** What device activity is for, in the order in which labels name it. */
enum HtaKind {
    COMPUTATION,
    COMMUNICATION,
    MEMORY,
    /** Waiting, and wrappers of whole programs: no part of breakdowns. */
    OTHER;

    private static final Pattern MEMORY_NAME = Pattern.compile("^(Memcpy|Memset|hipMemcpy|hipMemset|dma)");
    private static final Pattern COMMUNICATION_NAME =
            Pattern.compile("(?i)nccl|rccl|hccl|msccl|nvshmem|deep_?ep|::ep::|cross_device_reduce"
                    + "|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all");
    private static final Pattern OTHER_NAME = Pattern.compile("Sync|Stream Wait Event"
            + "|^(runFunction|job_exe|packet|pe_exe|cpum_exe_subgraph|collective_subgraph_execution)");
    private static final HtaKind[] ALL = values();

    static HtaKind of(byte ordinal) {
        return ALL[ordinal];
    }

    /** The kinds of device activity of a trace; each name is judged once. */
    static final class Kinds {
        private final Trace trace;
        private final byte[] ofName;

        Kinds(Trace trace) {
            this.trace = trace;
            this.ofName = new byte[trace.strings().size()];
        }

        byte of(int slice) {
            SliceKind kind = trace.slices().kind(slice);
            if (kind == SliceKind.MEMCPY || kind == SliceKind.MEMSET) {
                return (byte) MEMORY.ordinal();
            }
            int name = trace.slices().name(slice);
            if (ofName[name] == 0) {
                ofName[name] = (byte) (named(trace.name(slice)).ordinal() + 1);
            }
            return (byte) (ofName[name] - 1);
        }
    }

    /** The kind of a kernel. */
    static HtaKind named(String name) {
        if (MEMORY_NAME.matcher(name).find()) {
            return MEMORY;
        }
        if (COMMUNICATION_NAME.matcher(name).find()) {
            return COMMUNICATION;
        }
        int call = name.indexOf("cuda");
        boolean launch = call >= 0 && name.indexOf("LaunchKernel", call) >= 0;
        return launch || OTHER_NAME.matcher(name).find() ? OTHER : COMPUTATION;
    }
}
