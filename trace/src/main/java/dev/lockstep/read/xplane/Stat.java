// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import java.util.HashMap;
import java.util.Map;

/** The statistics of events that mean something to the program, in every spelling that profilers have used. */
enum Stat {
    CORRELATION("correlation_id"),
    LAUNCH("kernel_details"),
    COPY("memcpy_details", "Memcpy_details"),
    FILL("memset_details", "Memset_details"),
    INSTRUCTION("hlo_op"),
    MODULE("hlo_module"),
    PROGRAM("program_id"),
    /** Operator of the user's program. */
    OPERATOR("name"),
    /** The same on a TPU. */
    FRAMEWORK_OPERATOR("tf_op"),
    CATEGORY("hlo_category"),
    FLOPS("model_flops"),
    FLOPS_OF_DEVICE("flops"),
    BYTES("bytes_accessed"),
    SHAPE("shape_with_layout"),
    SOURCE("source"),
    STEP("step_num"),
    STEP_NAME("step_name"),
    GRAPH("cuda_graph_exec_id"),
    CAPTURED_GRAPH("cuda_graph_id"),
    GRAPH_NODE("cuda_graph_node_id"),
    ALLOCATOR("allocator_name"),
    BLOCK_BYTES("allocation_bytes"),
    ADDRESS("addr"),
    ALLOCATED("bytes_allocated"),
    RESERVED("bytes_reserved"),
    HLO("Hlo Proto", "hlo_proto");

    /** Those that belong to an instruction of XLA or its launch, as bits. */
    static final long OF_XLA = bits(LAUNCH, COPY, FILL, INSTRUCTION, MODULE, PROGRAM, CATEGORY, FLOPS, BYTES, SHAPE);

    private static final Map<String, Stat> BY_SPELLING = new HashMap<>();

    static {
        for (Stat stat : values()) {
            for (String spelling : stat.spellings) {
                BY_SPELLING.put(spelling, stat);
            }
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final String[] spellings;

    Stat(String... spellings) {
        this.spellings = spellings;
    }

    /** The place among the statistics, -1 for a spelling that means nothing. */
    static int numberOf(String spelling) {
        Stat stat = BY_SPELLING.get(spelling);
        return stat == null ? -1 : stat.ordinal();
    }

    private static long bits(Stat... stats) {
        long bits = 0;
        for (Stat stat : stats) {
            bits |= 1L << stat.ordinal();
        }
        return bits;
    }
}
