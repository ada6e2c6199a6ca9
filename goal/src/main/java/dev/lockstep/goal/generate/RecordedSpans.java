// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.SideTable;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * When the schedule of each rank begins and ends in the recording, as a table. Where ranks have one clock, they begin as
 * far apart as they were recorded; else, or where that is wanted, together.
 *
 * @param origins the beginning of the schedule on the clock of each rank, in nanoseconds
 * @param spans for each rank, counted from there
 */
@SuppressWarnings("ArrayRecordComponent")
public record RecordedSpans(long[] origins, List<RecordedSpan> spans) {
    /** The name of the file. */
    public static final String NAME = "recorded.tsv";

    private static final String HEAD = "rank\tbegin_ns\tend_ns";

    public RecordedSpans {
        spans = List.copyOf(spans);
    }

    /** Of a recording, whose schedule is made like this. */
    public static RecordedSpans of(RecordedRun run, TimelineOptions options) {
        List<RecordedSpan> own = new ArrayList<>();
        long first = Long.MAX_VALUE;
        for (Gpu gpu : run.gpus()) {
            RecordedSpan span = span(gpu, options.wholeWindow());
            own.add(span);
            first = gpu.operations().isEmpty() ? first : Math.min(first, span.beginNs());
        }
        boolean apart = run.commonClock() && !options.together();
        long[] origins = new long[own.size()];
        List<RecordedSpan> spans = new ArrayList<>();
        for (int rank = 0; rank < origins.length; rank++) {
            RecordedSpan span = own.get(rank);
            boolean idle = run.gpus().get(rank).operations().isEmpty();
            origins[rank] = apart && !idle ? first : span.beginNs();
            spans.add(new RecordedSpan(span.beginNs() - origins[rank], span.endNs() - origins[rank]));
        }
        return new RecordedSpans(origins, spans);
    }

    private static RecordedSpan span(Gpu gpu, boolean wholeWindow) {
        if (gpu.operations().isEmpty()) {
            return new RecordedSpan(0, 0);
        }
        if (wholeWindow) {
            return new RecordedSpan(gpu.windowStart(), gpu.windowEnd());
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (RecordedOperation operation : gpu.operations()) {
            first = Math.min(first, operation.start());
            last = Math.max(last, operation.end());
        }
        return new RecordedSpan(first, last);
    }

    /** Writes a line for each rank. */
    public void write(Path file) throws IOException {
        StringBuilder table = new StringBuilder(HEAD).append('\n');
        for (int rank = 0; rank < spans.size(); rank++) {
            table.append(rank).append('\t').append(spans.get(rank).beginNs());
            table.append('\t').append(spans.get(rank).endNs()).append('\n');
        }
        NamedFiles.write(file, table);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @return one for each rank; nothing when there is no such file, or it is about another number of ranks
     * @throws TraceFormatException when the file is something else
     */
    public static List<RecordedSpan> read(Path file, int ranks) throws IOException {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        List<String> lines = NamedFiles.lines(file);
        List<RecordedSpan> spans = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean right = i == 0 ? lines.get(i).equals(HEAD) : lines.get(i).matches(i - 1 + "(\t\\d{1,18}){2}");
            if (!right) {
                throw new SideTable(file, HEAD).corrupt(i + 1);
            }
            if (i > 0) {
                String[] cells = lines.get(i).split("\t", -1);
                spans.add(new RecordedSpan(Long.parseLong(cells[1]), Long.parseLong(cells[2])));
            }
        }
        return spans.size() == ranks ? spans : List.of();
    }
}
