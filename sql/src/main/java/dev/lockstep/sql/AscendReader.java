// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.TraceFormat;
import java.util.List;

/** Reads databases of Ascend's profiler: what {@code trace_view.json} of the same recording holds. Each is a rank. */
public final class AscendReader extends SqliteReader {
    static final TraceFormat FORMAT = new TraceFormat(
            "ascend-sqlite",
            "Databases of Ascend's profiler",
            List.of(".db"),
            false,
            1,
            "Give ascend_pytorch_profiler_RANK.db or trace_view.json of the folder ASCEND_PROFILER_OUTPUT.");

    @Override
    public TraceFormat format() {
        return FORMAT;
    }
}
