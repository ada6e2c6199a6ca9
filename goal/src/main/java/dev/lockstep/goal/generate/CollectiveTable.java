// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.model.SideTable;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Which collectives a schedule was made of, as a table beside it. */
public final class CollectiveTable {
    /** The name of the file. */
    public static final String NAME = "collectives.tsv";

    private static final String HEAD = "collective\tranks\tbytes\talgorithm\tprotocol\tchannels\tcount";
    private static final int CELLS = 7;

    /**
     * Collectives that are alike.
     *
     * @param collective what they do, in the library's words
     * @param ranks of their communicators
     * @param bytes that a rank's call names
     * @param algorithm empty for messages
     * @param protocol empty for messages
     * @param channels 0 for messages
     * @param count how many there are; each once, however many ranks take part
     */
    public record Row(
            String collective, int ranks, long bytes, String algorithm, String protocol, int channels, long count) {
        private static final Comparator<Row> ORDER = Comparator.comparing(Row::collective)
                .thenComparingInt(Row::ranks)
                .thenComparingLong(Row::bytes)
                .thenComparing(Row::algorithm)
                .thenComparing(Row::protocol)
                .thenComparingInt(Row::channels);

        Row times(long times) {
            return new Row(collective, ranks, bytes, algorithm, protocol, channels, times);
        }
    }

    private CollectiveTable() {}

    /** The collectives of a recording. */
    private static List<Row> of(RecordedRun recording, BiFunction<RecordedOperation, CollectivePlan, String> names) {
        Map<Row, Long> counts = new TreeMap<>(Row.ORDER);
        List<Gpu> gpus = recording.gpus();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            for (RecordedOperation operation : gpus.get(gpu).operations()) {
                boolean first = operation.message()
                        ? operation.kind() == NcclFunction.SEND
                        : recording
                                        .communicators()
                                        .get(operation.communicator())
                                        .rankOf(gpu)
                                == 0;
                if (first && operation.plan() != null) {
                    counts.merge(row(recording, operation, names), 1L, Long::sum);
                }
            }
        }
        List<Row> rows = new ArrayList<>();
        counts.forEach((row, count) -> rows.add(row.times(count)));
        return rows;
    }

    private static Row row(
            RecordedRun recording,
            RecordedOperation operation,
            BiFunction<RecordedOperation, CollectivePlan, String> names) {
        String word = operation.message() ? "SendRecv" : operation.kind().word();
        int ranks = recording.communicators().get(operation.communicator()).size();
        return operation.plan() instanceof CollectivePlan plan
                ? new Row(
                        word,
                        ranks,
                        operation.bytes(),
                        names.apply(operation, plan),
                        plan.protocol().name().toLowerCase(Locale.ROOT),
                        plan.channels().size(),
                        0)
                : new Row(word, ranks, operation.bytes(), "", "", 0, 0);
    }

    /**
     * Writes the collectives of a recording.
     *
     * @param names what their algorithms are called
     */
    public static void write(
            RecordedRun recording, BiFunction<RecordedOperation, CollectivePlan, String> names, Path file)
            throws IOException {
        StringBuilder table = new StringBuilder(HEAD).append('\n');
        for (Row row : of(recording, names)) {
            table.append(row.collective())
                    .append('\t')
                    .append(row.ranks())
                    .append('\t')
                    .append(row.bytes());
            table.append('\t')
                    .append(row.algorithm())
                    .append('\t')
                    .append(row.protocol())
                    .append('\t');
            table.append(row.channels()).append('\t').append(row.count()).append('\n');
        }
        NamedFiles.write(file, table);
    }

    /**
     * Reads what {@link #write} wrote; nothing when there is no such file.
     *
     * @throws TraceFormatException when the file is something else
     */
    public static List<Row> read(Path file) throws IOException {
        List<Row> rows = new ArrayList<>();
        if (!Files.isRegularFile(file)) {
            return rows;
        }
        List<String> lines = NamedFiles.lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String[] cells = lines.get(i).split("\t", -1);
            boolean head = i == 0 && lines.get(i).equals(HEAD);
            if (!head && (cells.length != CELLS || i == 0 || !numeric(cells))) {
                throw new SideTable(file, HEAD).corrupt(i + 1);
            }
            if (!head) {
                rows.add(new Row(
                        cells[0],
                        Integer.parseInt(cells[1]),
                        Long.parseLong(cells[2]),
                        cells[3],
                        cells[4],
                        Integer.parseInt(cells[5]),
                        Long.parseLong(cells[6])));
            }
        }
        return rows;
    }

    private static boolean numeric(String[] cells) {
        return cells[1].matches("\\d{1,9}")
                && cells[2].matches("\\d{1,18}")
                && cells[5].matches("\\d{1,9}")
                && cells[6].matches("\\d{1,18}");
    }
}
