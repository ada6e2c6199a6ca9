// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

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
 * Reads the events of FLEX, the runtime of IBM's AIU, one trace for each rank of the file. What ran on the device lasts as
 * long as its cycle counters say; the text passes by once.
 */
public final class FlexReader implements TraceReader {
    /** Arguments that no other events have: counters of the device, the name FLEX gives to arguments. */
    private static final Pattern RAW = Pattern.compile("\"TS[1-5]\"\\s*:|\"attr\"\\s*:\\s*\\{");

    /** What the pipeline of {@code lockstep aiu} adds. */
    private static final Pattern PROCESSED =
            Pattern.compile("\"Pending Prep Events\"|\"AIU Device\\d+\"|\"class\"\\s*:\\s*\"(COMPUTE|MAIU|ROUNDTRIP)_");

    /** A merge has given all events their kinds already. */
    private static final Pattern MERGED = Pattern.compile("\"cat\"\\s*:\\s*\"" + EventName.CATEGORY_PREFIX);

    private static final Pattern TORCH = Pattern.compile("\"cat\"\\s*:\\s*\"cuda_runtime\"|\"schemaVersion\"\\s*:");

    @Override
    public TraceFormat format() {
        return TraceFormat.FLEX;
    }

    @Override
    public boolean recognises(byte[] head) {
        int p = head.length >= 3 && (head[0] & 0xFF) == 0xEF ? 3 : 0;
        while (p < head.length && (head[p] == ' ' || head[p] == '\n' || head[p] == '\r' || head[p] == '\t')) {
            p++;
        }
        if (p == head.length || head[p] != '{' && head[p] != '[') {
            return false;
        }
        String text = new String(head, StandardCharsets.ISO_8859_1);
        boolean raw = (text.contains("\"TS") || text.contains("\"attr\""))
                && RAW.matcher(text).find();
        boolean found =
                raw || !TORCH.matcher(text).find() && PROCESSED.matcher(text).find();
        return found && !MERGED.matcher(text).find();
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        JsonWindow window = new JsonWindow(content, options.progress());
        return new FlexDocument(input, window, diagnostics, options.everything()).read();
    }
}
