// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.TraceFormat;
import java.util.List;

/** Reads databases of the first rocprof ({@code results.db}): kernels, copies, calls and ranges. Each process is a rank. */
public final class RocprofDatabaseReader extends SqliteReader {
    static final TraceFormat FORMAT = new TraceFormat(
            "rocprof-sqlite",
            "Databases of rocprof",
            List.of(".db"),
            false,
            1,
            "Give the results.db or the results.json that rocprof --hip-trace wrote.");

    @Override
    public TraceFormat format() {
        return FORMAT;
    }
}
