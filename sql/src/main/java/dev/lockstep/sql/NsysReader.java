// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.util.List;

/**
 * Reads exports of Nsight Systems ({@code nsys export --type=sqlite}): kernels, copies, fills, calls of the runtime and
 * NVTX ranges. Each device that a process used is a rank.
 */
public final class NsysReader implements TraceReader {
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

    @Override
    public boolean recognises(byte[] head) {
        return SqliteFile.recognises(head);
    }

    /** SQLite does not stream: the file is opened anew where it lies. */
    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        try (SqliteFile file = SqliteFile.open(input)) {
            List<Trace> traces = new NsysDocument(file).read(diagnostics);
            options.progress().accept(input.size());
            return traces;
        }
    }
}
