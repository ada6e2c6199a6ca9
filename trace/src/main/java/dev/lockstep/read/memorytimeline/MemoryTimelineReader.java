// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.memorytimeline;

import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads what {@code export_memory_timeline} of PyTorch's profiler writes: {@code [[time, …], [[bytes of each category], …]]},
 * or, where the file's name ends in {@code .raw.json.gz}, {@code [[time, action, bytes, category], …]}.
 */
public final class MemoryTimelineReader implements TraceReader {
    private static final int HEAD = 1024;
    private static final Pattern BEGIN = Pattern.compile("^\\s*\\[\\s*\\[\\s*-?\\d");

    @Override
    public TraceFormat format() {
        return TraceFormat.MEMORY_TIMELINE;
    }

    @Override
    public boolean isOfRank() {
        return false;
    }

    @Override
    public boolean recognises(byte[] head) {
        String text = new String(head, 0, Math.min(head.length, HEAD), StandardCharsets.ISO_8859_1);
        return BEGIN.matcher(text).find();
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        JsonWindow window = new JsonWindow(content, options.progress());
        TraceBuilder builder = new TraceBuilder(16);
        builder.diagnostics().addAll(diagnostics);
        CategoryBytes bytes = new CategoryBytes(builder);
        try {
            new TimelineRows(window, bytes).read();
        } catch (Stop stop) {
            if (builder.markCount() == 0) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        input.name(),
                        window.position(),
                        content.head().length == 0
                                ? "the file is empty, expected a memory timeline"
                                : "expected lists of numbers, as export_memory_timeline writes them",
                        TraceFormat.MEMORY_TIMELINE.hint());
            }
            builder.diagnostics()
                    .add(
                            Weight.LOSS,
                            stop == Stop.INCOMPLETE ? "truncated" : "syntax",
                            stop == Stop.INCOMPLETE
                                    ? "the file ends before the memory timeline does; the file was cut"
                                    : "expected lists of numbers; the rest was not read",
                            window.position());
        }
        builder.counts().add(builder.markCount(), 0, 0);
        builder.counts().addPhase("i", builder.markCount());
        OptionalInt rank = RankNames.rankOf(input.path());
        return List.of(builder.build(new TraceInfo(
                input.name(),
                TraceFormat.MEMORY_TIMELINE.id(),
                rank.isPresent() ? new Rank(rank.getAsInt(), Rank.Origin.PATH) : new Rank(0, Rank.Origin.ORDER),
                -1,
                List.of(),
                0,
                Map.of())));
    }
}
