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
    /** Other spellings of PyTorch's profiler, and the names that rocprofv3 and recorders of render stages give. */
    private static final Map<String, KnownArgument> OTHER_SPELLINGS = Map.of(
            "External Id", KnownArgument.EXTERNAL_ID,
            "external id", KnownArgument.EXTERNAL_ID,
            "Input dims", KnownArgument.INPUT_DIMS,
            "corr_id", KnownArgument.CORRELATION,
            "correlation_id", KnownArgument.CORRELATION,
            "copy_bytes", KnownArgument.MOVED_BYTES);

    private static final String SOURCE_RANK = "Src Rank";

    static ArgumentName of(String name) {
        if (name.equals(SOURCE_RANK)) {
            return new ArgumentName(name, KnownArgument.PEER, true);
        }
        KnownArgument known = KnownArgument.spelt(name);
        return new ArgumentName(name, known == null ? OTHER_SPELLINGS.get(name) : known, false);
    }
}
