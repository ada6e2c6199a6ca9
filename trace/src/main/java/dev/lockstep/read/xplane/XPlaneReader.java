// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

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

/** Reads profiles of XLA: planes of devices and hosts, and the compiled programs that they ran. */
public final class XPlaneReader implements TraceReader {
    private static final String NUMBER = "[\\x80-\\xff]{0,9}[\\x00-\\x7f]";

    /** A plane, its number or none, and a name of which the profiler is known to make use. */
    private static final Pattern BEGIN = Pattern.compile("\\A\\n" + NUMBER + "(?:\\x08" + NUMBER + ")?\\x12" + NUMBER
            + "(?:/host:|/device:|Task Environment|#Chip)");

    private static final int LOOKED_AT = 64;

    @Override
    public TraceFormat format() {
        return TraceFormat.XPLANE;
    }

    @Override
    public boolean recognises(byte[] head) {
        String begin = new String(head, 0, Math.min(head.length, LOOKED_AT), StandardCharsets.ISO_8859_1);
        return BEGIN.matcher(begin).find();
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics packing, ReadOptions options)
            throws IOException {
        return new XPlaneFile(input, content, options).read(packing);
    }
}
