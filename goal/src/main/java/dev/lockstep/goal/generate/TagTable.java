// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.write.Unicode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;

/** What tags mean, as a table: a line for the messages of one operation from one rank to another. */
public final class TagTable {
    /** The name of the file. */
    public static final String NAME = "tags.tsv";

    private static final String HEADER =
            "from\tto\tfirst_tag\tlast_tag\tstep\tmessages\tlabel\tcollective\tcommunicator"
                    + "\tsequence\tparallelism\n";

    private TagTable() {}

    /** Writes the messages of all ranks that tell about them. */
    public static void write(RecordedRun recording, GoalGenerator generator, Path file) throws IOException {
        TagFormat format = generator.format();
        try (BufferedWriter out = NamedFiles.writer(file)) {
            out.write(HEADER);
            for (int rank = 0; rank < generator.ranks().size(); rank++) {
                if (generator.ranks().get(rank) instanceof TimelineSchedule schedule) {
                    String from = rank + "\t";
                    schedule.tags()
                            .read((to, operation, facts, label, first, count) -> out.append(from)
                                    .append(Integer.toString(to))
                                    .append('\t')
                                    .append(Long.toString(format.tag(first, label)))
                                    .append('\t')
                                    .append(Long.toString(format.tag(first + count - 1, label)))
                                    .append('\t')
                                    .append(Long.toString(format.step()))
                                    .append('\t')
                                    .append(Integer.toString(count))
                                    .append('\t')
                                    .append(Long.toString(label))
                                    .append('\t')
                                    .append(operation.kind().word())
                                    .append('\t')
                                    .append(Unicode.cell(recording
                                            .communicators()
                                            .get(operation.communicator())
                                            .id()))
                                    .append('\t')
                                    .append(Long.toString(operation.sequence()))
                                    .append('\t')
                                    .append(Parallelisms.word((int) facts.parallelism()))
                                    .append('\n'));
                }
            }
        }
    }
}
