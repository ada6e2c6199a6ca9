// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
        private final @Nullable KernelRules rules;
        private final byte[] ofName;

        /** @param rules tell what is communication; null to tell it as HTA does */
        Kinds(Trace trace, @Nullable KernelRules rules) {
            this.trace = trace;
            this.rules = rules;
            this.ofName = new byte[trace.strings().size()];
        }

        byte of(int slice) {
            SliceKind kind = trace.slices().kind(slice);
            if (kind == SliceKind.MEMCPY || kind == SliceKind.MEMSET) {
                return (byte) MEMORY.ordinal();
            }
            int name = trace.slices().name(slice);
            if (ofName[name] == 0) {
                ofName[name] = (byte) (named(trace.name(slice), rules).ordinal() + 1);
            }
            return (byte) (ofName[name] - 1);
        }
    }

    private static HtaKind named(String name, @Nullable KernelRules rules) {
        HtaKind kind = named(name);
        if (rules == null || kind == MEMORY || kind == OTHER) {
            return kind;
        }
        return rules.classOf(SliceKind.KERNEL, name) == KernelClass.COMMUNICATION ? COMMUNICATION : COMPUTATION;
    }

    /** The kind of a kernel as HTA tells it. */
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
