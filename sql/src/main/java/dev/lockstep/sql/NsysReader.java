// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.TraceFormat;
import java.util.List;

/**
 * Reads exports of Nsight Systems ({@code nsys export --type=sqlite}): kernels, copies, fills, calls of the runtime and
 * NVTX ranges. Each device that a process used is a rank.
 */
public final class NsysReader extends SqliteReader {
    static final TraceFormat FORMAT = new TraceFormat(
            "nsys-sqlite",
            "Exports of Nsight Systems",
            List.of(".sqlite"),
            false,
            1,
            "Export the recording first: nsys export --type=sqlite FILE.nsys-rep.");

    @Override
    public TraceFormat format() {
        return FORMAT;
    }
}
