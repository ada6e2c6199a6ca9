// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.TraceFormat;
import java.util.List;

/** Reads databases of rocprofv3 ({@code rocpd}): kernels, copies, calls and ranges. Each process is a rank. */
public final class RocpdReader extends SqliteReader {
    static final TraceFormat FORMAT = new TraceFormat(
            "rocpd",
            "Databases of rocprofv3 (rocpd)",
            List.of(".db"),
            false,
            1,
            "Give the database as rocprofv3 wrote it (*_results.db), or convert it: rocpd convert -i FILE --output-format"
                    + " pftrace.");

    @Override
    public TraceFormat format() {
        return FORMAT;
    }
}
