// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.SyncDetails;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Which call recorded a CUDA event that something waited for. Handles of events are used again and again; each recording has
 * a number of its own, which the waits for it bear, too, in exports of recordings with {@code --cuda-event-trace=true}.
 */
final class NsysEvents {
    private static final String RECORDINGS = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";

    /** The column of recordings and of waits that joins them. */
    static final String NUMBER = "eventSyncId";

    private record Key(long process, long number) {}

    private record Recording(long stream, long correlation) {}

    private final Map<Key, Recording> recordings = new HashMap<>();

    NsysEvents(SqliteFile file) throws IOException {
        if (!file.has(RECORDINGS)) {
            return;
        }
        try (SqliteRows rows = file.rows(RECORDINGS, "globalPid", NUMBER, "streamId", "correlationId")) {
            while (rows.next()) {
                long number = rows.number(1, -1);
                if (number > 0) {
                    recordings.put(
                            new Key(rows.number(0, 0), number), new Recording(rows.number(2, -1), rows.number(3, -1)));
                }
            }
        }
    }

    /** Says of a wait what it waited for, where that was recorded. */
    void waited(NsysRank rank, int slice, long process, long number) {
        Recording recording = number > 0 ? recordings.get(new Key(process, number)) : null;
        if (recording != null) {
            DetailRows details = rank.builder().details(SyncDetails.KEY);
            details.add(slice);
            details.number(SyncDetails.STREAM, recording.stream);
            details.number(SyncDetails.RECORD, recording.correlation);
        }
    }
}
