// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Packing;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.torch.TorchTraceReader;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.timeline.perfetto.PerfettoWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a trace that lies in a file of JSON in Perfetto's format: the same events, arguments, counters and arrows under the same names as in
 * JSON, and events that overlap on rows of their own.
 *
 * @hidden for the program's own modules
 */
public final class PerfettoCopy {
    private PerfettoCopy() {}

    /**
     * {@return whether the ending of a name asks for this format}
     *
     * @param target the name of a file
     */
    public static boolean isAskedBy(String target) {
        return new PerfettoWriter().endings().stream().anyMatch(target::endsWith);
    }

    /**
     * Writes the copy.
     *
     * @param json the trace as JSON
     * @param name what the user calls the target; its ending says whether it is packed
     * @param target a file that may be written
     * @throws IOException when reading or writing fails
     */
    public static void write(Path json, String name, Path target) throws IOException {
        Diagnostics diagnostics = new Diagnostics();
        TraceInput input = new TraceInput(name, json);
        ReadOptions everything = new ReadOptions(Runnable::run, 1, bytes -> {}, Keep.EVERYTHING);
        TraceWriter.Options options = new TraceWriter.Options(Packing.GZIP.packs(name), Runnable::run, 1);
        try (PrefixedSource content = input.open(diagnostics);
                TimelineOutput output = new PerfettoWriter().open(target, options)) {
            TimelineMerge merge = new TimelineMerge(output, MergeOptions.oneRecording(), Alignment.none());
            for (Trace trace : new TorchTraceReader().read(input, content, diagnostics, everything)) {
                merge.add(trace);
            }
            merge.finish();
        }
    }
}
