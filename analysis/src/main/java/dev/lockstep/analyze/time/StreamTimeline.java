// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timeline of each device stream by itself: what it does, and for how long it does nothing while others may work.
 *
 * @param rules definitions
 */
public record StreamTimeline(AnalysisRules rules) implements Analysis<StreamTimeline.Result> {
    /** One stream. */
    public record Row(DeviceActivity.Stream stream, int activities, Parts parts) {}

    /** The streams in order of device and number. */
    public record Result(List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no device activity" : null;
        }
    }

    @Override
    public String id() {
        return "gpu_timeline_by_stream";
    }

    @Override
    public Result run(DerivedCache trace) {
        DeviceActivity activity = trace.get(rules.activity());
        int[] counts = new int[activity.streams().size()];
        for (int i = 0; i < activity.size(); i++) {
            counts[activity.streamOf(i)]++;
        }
        List<Parts> parts = GpuTimeline.parts(activity, counts.length, activity::streamOf, -1);
        List<Row> rows = new ArrayList<>();
        for (int stream = 0; stream < counts.length; stream++) {
            rows.add(new Row(activity.streams().get(stream), counts[stream], parts.get(stream)));
        }
        return new Result(rows);
    }

    private static Table sheet(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.text("device", "Number of the device."), r -> r.stream.device())
                .add(ColumnSpec.text("stream", "Number of the stream on the device."), r -> r.stream.stream())
                .add(ColumnSpec.count("activities", "Kernels, copies and fills on the stream."), Row::activities)
                .add(
                        millis(ColumnNames.TOTAL_TIME_MS, "From the first start to the last end on the stream."),
                        r -> r.parts.total())
                .add(
                        millis(ColumnNames.COMPUTATION_MS, "Time with any computation on the stream."),
                        r -> r.parts.computation())
                .add(
                        millis(ColumnNames.COMMUNICATION_MS, "Time with any communication on the stream."),
                        r -> r.parts.communication())
                .add(millis("memcpy ms", "Time with any copy or fill on the stream."), r -> r.parts.memory())
                .add(millis(ColumnNames.BUSY_MS, "Time with any activity on the stream."), r -> r.parts.busy())
                .add(
                        millis(ColumnNames.IDLE_MS, "Total without busy; other streams may work meanwhile."),
                        r -> r.parts.idle())
                .add(
                        ColumnSpec.percent(ColumnNames.BUSY_PERCENT, "Share of the stream's span with any activity."),
                        r -> r.parts.total() == 0 ? null : 100.0 * r.parts.busy() / r.parts.total())
                .table("gpu_timeline_by_stream", "GPU timeline by stream", rows);
    }
}
