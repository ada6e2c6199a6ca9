// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.KnownArgument;
import dev.lockstep.model.SliceKind;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells what a slice without a category is by its arguments and its track, as far as these leave no doubt. */
final class KindsByEvidence {
    private static final Pattern DRIVER = Pattern.compile("cu[A-Z].*");
    private static final Pattern CALL = Pattern.compile("(?:cuda|hip)[A-Z].*|__cuda\\w*|cu[A-Z].*");
    private static final String STEPS = "ProfilerStep";
    private static final Pattern STEP = Pattern.compile(STEPS + "#?\\s*\\d+");
    private static final Pattern DEVICE = Pattern.compile("GPU \\d+");

    private KindsByEvidence() {}

    /**
     * What the event is that is being read.
     *
     * @param ofGpu whether its track is of a device
     */
    static SliceKind of(Event e, RankEvents events, boolean ofGpu) {
        ArgumentValues values = events.values();
        String name = e.name < 0 ? "" : events.strings().get(e.name);
        boolean joins = values.number(KnownArgument.CORRELATION) > 0;
        boolean placed = values.has(KnownArgument.DEVICE) && values.has(KnownArgument.STREAM);
        if (values.has(KnownArgument.WAITED_STREAM) || values.has(KnownArgument.WAITED_RECORD)) {
            return SliceKind.DEVICE_SYNC;
        }
        if (joins && (placed || values.has(KnownArgument.GRID))) {
            return ofDevice(name);
        }
        if (ofGpu) {
            return joins ? ofDevice(name) : SliceKind.HOST_OTHER;
        }
        if (joins && CALL.matcher(name).matches()) {
            return ofCall(name);
        }
        if (name.startsWith(STEPS) && STEP.matcher(name).matches()) {
            return SliceKind.ANNOTATION;
        }
        boolean operator = values.has(KnownArgument.EXTERNAL_ID) || values.has(KnownArgument.INPUT_DIMS);
        return operator ? SliceKind.CPU_OP : SliceKind.HOST_OTHER;
    }

    private static SliceKind ofDevice(String name) {
        if (name.startsWith("Memcpy")) {
            return SliceKind.MEMCPY;
        }
        return name.startsWith("Memset") ? SliceKind.MEMSET : SliceKind.KERNEL;
    }

    /** What a call of a library of GPUs is. */
    static SliceKind ofCall(String name) {
        return DRIVER.matcher(name).matches() ? SliceKind.DRIVER_CALL : SliceKind.RUNTIME_CALL;
    }

    /** Whether a process of this name, or with this label, is a device. */
    static boolean isDevice(@Nullable String name) {
        return name != null && DEVICE.matcher(name).matches();
    }
}
