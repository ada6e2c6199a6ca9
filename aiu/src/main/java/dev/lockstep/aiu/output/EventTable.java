// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Complete events as a text table, one row each. */
public final class EventTable implements TraceSink {
    private static final List<String> HEAD = List.of(
            "Rank", "Timestamp", "Duration", "Category", "Event Name", "Event CLass", "Job", "Size", "PT_Active");

    private final Path file;
    private final PandasTable table;

    /** @param allDigits whether numbers stand there in full, where pandas would shorten them */
    public EventTable(Path file, boolean allDigits) {
        this.file = file;
        this.table = new PandasTable(HEAD, allDigits);
    }

    @Override
    public void add(AiuEvent event) {
        if (!event.isComplete()) {
            return;
        }
        Args args = event.args == null ? new Args() : event.args;
        Object size = args.get("bytes");
        Object active = args.get("pt_active");
        table.add(List.of(
                event.rank == AiuEvent.NO_RANK ? 0L : (long) event.rank,
                event.ts,
                event.length(),
                event.category == null ? "" : event.category,
                event.name.text(),
                event.kind == null ? "UNKNOWN" : event.kind,
                event.job == null || !event.namesJob ? "Unknown" : event.job.title(),
                size == null ? 0.0 : size,
                active == null ? 0.0 : active));
    }

    @Override
    public void close() throws IOException {
        NamedFiles.write(file, table.text());
    }
}
