// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import java.util.Arrays;
import java.util.List;

/** Each device event beside the call that launched it. */
record LaunchStatistics() implements HtaSheet {
    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.id("correlation", "Number that joins the two."),
            ColumnSpec.micros("cpu_duration", "Duration of the call."),
            ColumnSpec.micros("gpu_duration", "Duration of the device event."),
            ColumnSpec.micros("launch_delay", "From the end of the call to the start on the device, at least 0."));

    @Override
    public Table table(HtaEvents events) {
        LongList[] cells = new LongList[SCHEMA.size()];
        for (int c = 0; c < cells.length; c++) {
            cells[c] = new LongList(events.devices());
        }
        for (int e = 0; e < events.devices(); e++) {
            int call = events.launch(e);
            if (call >= 0) {
                int slice = events.slice(e);
                cells[0].add(events.rank());
                cells[1].add(events.trace().slices().correlation(slice));
                cells[2].add(events.duration(call));
                cells[3].add(events.duration(slice));
                cells[4].add(Math.max(0, events.start(slice) - events.end(call)));
            }
        }
        List<Column> columns = Arrays.stream(cells).<Column>map(LongColumn::of).toList();
        return new Table("hta_launch_stats", "Launches", SCHEMA, columns, cells[0].size());
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no device event has a launch in the trace");
    }
}
