// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads what {@code rocprofv3 --output-format json} wrote: kernels, copies, calls and ranges of one or more processes, one
 * trace for each. The text passes by once; only tables of names are kept.
 */
public final class RocprofReader implements TraceReader {
    static final String ROOT = "\"rocprofiler-sdk-tool\"";

    @Override
    public TraceFormat format() {
        return TraceFormat.ROCPROF;
    }

    /** A brace, and the one key that such a file has. */
    @Override
    public boolean recognises(byte[] head) {
        int p = head.length >= 3 && (head[0] & 0xFF) == 0xEF ? 3 : 0;
        p = behindSpace(head, p);
        if (p == head.length || head[p] != '{') {
            return false;
        }
        p = behindSpace(head, p + 1);
        byte[] root = ROOT.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < root.length; i++) {
            if (p + i >= head.length || head[p + i] != root[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        return new ToolDocument(input, new JsonWindow(content, options.progress()), diagnostics, options.everything())
                .read();
    }

    private static int behindSpace(byte[] head, int from) {
        int p = from;
        while (p < head.length && (head[p] == ' ' || head[p] == '\n' || head[p] == '\r' || head[p] == '\t')) {
            p++;
        }
        return p;
    }
}
