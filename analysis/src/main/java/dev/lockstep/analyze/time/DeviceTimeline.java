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
 * The timeline of each device by itself, for traces with several: over all devices together, one that computes hides
 * that another is idle.
 *
 * @param rules definitions
 */
public record DeviceTimeline(AnalysisRules rules) implements Analysis<DeviceTimeline.Result> {
    /** One device. */
    public record Row(String device, int activities, Parts parts) {}

    /** The devices in order of their numbers. */
    public record Result(List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.size() < 2 ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.size() < 2 ? "the trace has activity on fewer than two devices" : null;
        }
    }

    @Override
    public String id() {
        return "gpu_timeline_by_device";
    }

    @Override
    public Result run(DerivedCache trace) {
        DeviceActivity activity = trace.get(rules.activity());
        List<String> devices = activity.devices();
        int[] deviceOf = activity.deviceOfStreams();
        int[] counts = new int[devices.size()];
        for (int i = 0; i < activity.size(); i++) {
            counts[deviceOf[activity.streamOf(i)]]++;
        }
        List<Parts> parts = GpuTimeline.parts(activity, counts.length, i -> deviceOf[activity.streamOf(i)], -1);
        List<Row> rows = new ArrayList<>();
        for (int device = 0; device < counts.length; device++) {
            rows.add(new Row(devices.get(device), counts[device], parts.get(device)));
        }
        return new Result(rows);
    }

    private static Table sheet(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.text("device", "Number of the device."), Row::device)
                .add(ColumnSpec.count("activities", "Kernels, copies and fills on the device."), Row::activities)
                .add(
                        millis(ColumnNames.TOTAL_TIME_MS, "From the first start to the last end on the device."),
                        r -> r.parts.total())
                .addAll(Parts.columns(), Row::parts)
                .add(
                        ColumnSpec.percent(ColumnNames.BUSY_PERCENT, "Share of the device's span with any activity."),
                        r -> r.parts.total() == 0 ? null : 100.0 * r.parts.busy() / r.parts.total())
                .table("gpu_timeline_by_device", "GPU timeline by device", rows);
    }
}
