// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprofv1;

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
import java.util.regex.Pattern;

/**
 * Reads what the first rocprof of ROCm wrote ({@code results.json}): slices without categories, whose numbers are texts; sections
 * tell kernels, copies and calls.
 */
public final class RocprofV1Reader implements TraceReader {
    /** The list begins with an event that is empty, and names sections before anything else. */
    private static final Pattern BEGIN = Pattern.compile("^\\s*\\{\\s*\"traceEvents\"\\s*:\\s*\\[\\s*\\{\\s*\\}\\s*,"
            + "[\\s\\S]{0,2000}?\"name\"\\s*:\\s*\"(?:CPU H(?:IP|SA) API|COPY|Markers and Ranges|GPU\\d{1,4})\"");

    private static final int HEAD = 4096;

    @Override
    public TraceFormat format() {
        return TraceFormat.ROCPROF_V1;
    }

    @Override
    public boolean recognises(byte[] head) {
        String text = new String(head, 0, Math.min(head.length, HEAD), StandardCharsets.ISO_8859_1);
        return BEGIN.matcher(text).find();
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        return List.of(new SectionDocument(input, new JsonWindow(content, options.progress()), diagnostics).read());
    }
}
