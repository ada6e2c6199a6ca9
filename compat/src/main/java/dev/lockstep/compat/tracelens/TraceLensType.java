// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The classes into which TraceLens sorts collectives, and its sizes of element types. */
enum TraceLensType {
    ALL_REDUCE,
    REDUCE_SCATTER,
    ALL_GATHER,
    ALL_TO_ALL,
    ALL_TO_ALL_V;

    private static final double MEBIBYTE = 1 << 20;

    private static final Map<String, TraceLensType> BY_NAME = Map.ofEntries(
            Map.entry("allreduce", ALL_REDUCE),
            Map.entry("allreduce_coalesced", ALL_REDUCE),
            Map.entry("reducescatter", REDUCE_SCATTER),
            Map.entry("_reduce_scatter_base", REDUCE_SCATTER),
            Map.entry("reduce_scatter_tensor_coalesced", REDUCE_SCATTER),
            Map.entry("allgather", ALL_GATHER),
            Map.entry("all_gather", ALL_GATHER),
            Map.entry("_allgather_base", ALL_GATHER),
            Map.entry("all_gather_into_tensor_coalesced", ALL_GATHER),
            Map.entry("allgather_into_tensor_coalesced", ALL_GATHER),
            Map.entry("all_to_all", ALL_TO_ALL),
            Map.entry("all_to_allv", ALL_TO_ALL_V));

    private static final Map<String, Integer> BYTES = Map.of(
            "Float", 4, "Int", 4, "Long", 8, "BFloat16", 2, "Bool", 1, "Byte", 1, "Double", 8, "Half", 2, "Short", 2);

    /** The class of a recorded name, null for others. */
    static @Nullable TraceLensType of(@Nullable String name) {
        return name == null ? null : BY_NAME.get(name);
    }

    /** Whether its members wait for one another and carry the same amount. */
    boolean implicitSync() {
        return this != ALL_TO_ALL_V;
    }

    /** What of the bytes moved crosses a link, by group size. */
    double busFactor(double n) {
        return (this == ALL_REDUCE ? 2 : 1) * (n - 1) / n;
    }

    /** Bytes of an element, 0 for types that the tool does not know. */
    static int bytes(@Nullable String dtype) {
        return dtype == null ? 0 : BYTES.getOrDefault(dtype, 0);
    }

    /** A message's size in MiB, NaN where the tool does not know it. */
    static double mebibytes(@Nullable String dtype, long elements) {
        int bytes = bytes(dtype);
        return bytes == 0 || elements < 0 ? Double.NaN : elements * (double) bytes / MEBIBYTE;
    }
}
