// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.SliceKind;
import java.util.Locale;

/** What a thread of the host does; the names are the categories of traces. */
enum HostActivity {
    CUDA_DRIVER(SliceKind.DRIVER_CALL),
    CUDA_RUNTIME(SliceKind.RUNTIME_CALL),
    CPU_OP(SliceKind.CPU_OP),
    USER_ANNOTATION(SliceKind.ANNOTATION),
    OSRT(SliceKind.HOST_OTHER),
    OVERHEAD(SliceKind.OVERHEAD);

    private final SliceKind kind;

    HostActivity(SliceKind kind) {
        this.kind = kind;
    }

    SliceKind kind() {
        return kind;
    }

    String category() {
        return name().toLowerCase(Locale.ROOT);
    }
}
