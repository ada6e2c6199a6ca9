// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.nio.file.Path;

/** What was left out of a schedule and what was assumed for it, as a table. */
public final class AssumptionTable {
    /** The name of the file. */
    public static final String NAME = "assumptions.tsv";

    private AssumptionTable() {}

    /** Writes a line for each kind: whether it is left out or assumed, its code, how often, the first case. */
    public static void write(RecordingNotes notes, Path file) throws IOException {
        StringBuilder table = new StringBuilder("what\tcode\ttimes\tfirst\n");
        for (ScheduleNote note : notes.all()) {
            table.append(note.loss() ? "left out" : "assumed")
                    .append('\t')
                    .append(note.code())
                    .append('\t');
            table.append(note.times()).append('\t');
            table.append(Unicode.cell(note.first())).append('\n');
        }
        NamedFiles.write(file, table);
    }
}
