// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Trace;
import dev.lockstep.read.WithheldMetadata;
import dev.lockstep.table.IntList;
import java.util.HashSet;
import java.util.Set;

/** The metadata events that no part of a layout stands for, of processes that have events; those with secrets on request. */
final class OtherMetadata {
    private static final Set<String> IN_LAYOUT =
            Set.of("process_name", "process_labels", "process_sort_index", "thread_name", "thread_sort_index");

    private OtherMetadata() {}

    static int[] of(Trace trace, int[] rowOfTrack, boolean keepEnvironment, Tally tally) {
        Recorded recorded = trace.recorded();
        IntList kept = new IntList(16);
        if (recorded == null) {
            return kept.toArray();
        }
        Set<String> used = new HashSet<>();
        Set<String> rows = new HashSet<>();
        for (int track = 0; track < rowOfTrack.length; track++) {
            if (rowOfTrack[track] >= 0) {
                used.add(trace.tracks().get(track).process());
                rows.add(trace.tracks().get(track).process()
                        + '\0'
                        + trace.tracks().get(track).thread());
            }
        }
        for (int i = 0; i < recorded.metadataCount(); i++) {
            String process = trace.strings().orNull(recorded.metadataProcess(i));
            if (!used.contains(process == null ? "" : process)) {
                tally.add(Reason.METADATA_OF_UNUSED);
            } else if (!IN_LAYOUT.contains(trace.strings().get(recorded.metadataName(i)))
                    || isOfThreadWithoutRow(trace, recorded, i, rows)) {
                long secrets = keepEnvironment ? 0 : secrets(trace, recorded, i);
                tally.add(Reason.ENVIRONMENT, secrets);
                if (secrets == 0) {
                    kept.add(i);
                }
            }
        }
        return kept.toArray();
    }

    /** Threads on which nothing lies have names, too. */
    private static boolean isOfThreadWithoutRow(Trace trace, Recorded recorded, int row, Set<String> rows) {
        String thread = trace.strings().orNull(recorded.metadataThread(row));
        return thread != null
                && trace.strings().get(recorded.metadataName(row)).startsWith("thread_")
                && !rows.contains(trace.strings().orNull(recorded.metadataProcess(row)) + '\0' + thread);
    }

    private static long secrets(Trace trace, Recorded recorded, int row) {
        RecordedTexts.Cursor text = recorded.metadata().cursor();
        String name = trace.strings().get(recorded.metadataName(row));
        return text.move(row) ? WithheldMetadata.values(name, text) : 0;
    }
}
