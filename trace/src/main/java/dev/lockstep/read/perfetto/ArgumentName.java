// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.KnownArgument;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A name of an argument and what it means.
 *
 * @param known the column that takes it, or null
 * @param strong whether it overrules other names of the same column
 */
record ArgumentName(String name, @Nullable KnownArgument known, boolean strong) {
    /** Other spellings of PyTorch's profiler, and the names that rocprofv3, XLA and recorders of render stages give. */
    private static final Map<String, KnownArgument> OTHER_SPELLINGS = Map.ofEntries(
            Map.entry("External Id", KnownArgument.EXTERNAL_ID),
            Map.entry("external id", KnownArgument.EXTERNAL_ID),
            Map.entry("Input dims", KnownArgument.INPUT_DIMS),
            Map.entry("corr_id", KnownArgument.CORRELATION),
            Map.entry("correlation_id", KnownArgument.CORRELATION),
            Map.entry("copy_bytes", KnownArgument.MOVED_BYTES),
            Map.entry("cuda_graph_id", KnownArgument.GRAPH),
            Map.entry("cuda_graph_exec_id", KnownArgument.GRAPH),
            Map.entry("cuda_graph_node_id", KnownArgument.GRAPH_NODE),
            Map.entry("Memcpy_details", KnownArgument.XLA_COPY),
            Map.entry("memset_details", KnownArgument.XLA_COPY),
            Map.entry("Memset_details", KnownArgument.XLA_COPY));

    private static final String SOURCE_RANK = "Src Rank";

    static ArgumentName of(String name) {
        if (name.equals(SOURCE_RANK)) {
            return new ArgumentName(name, KnownArgument.PEER, true);
        }
        KnownArgument known = KnownArgument.spelt(name);
        return new ArgumentName(name, known == null ? OTHER_SPELLINGS.get(name) : known, false);
    }
}
