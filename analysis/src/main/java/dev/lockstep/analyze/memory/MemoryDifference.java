// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Why one peak is higher than another: the owners of both, whose differences add up to that of the peaks. */
public final class MemoryDifference {
    /**
     * An owner of both peaks.
     *
     * @param a bytes at the peak of the first recording
     * @param b bytes at the peak of the second
     */
    public record Row(String device, String owner, long a, long b) {
        /** By how much the second is higher. */
        public long difference() {
            return b - a;
        }
    }

    private MemoryDifference() {}

    /** The rows by device, the largest differences first. */
    public static List<Row> of(MemoryUse.Result a, MemoryUse.Result b) {
        Map<String, Map<String, long[]>> sums =
                new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
        add(a, 0, sums);
        add(b, 1, sums);
        List<Row> rows = new ArrayList<>();
        sums.forEach((device, owners) -> {
            List<Row> some = new ArrayList<>();
            owners.forEach((owner, sum) -> some.add(new Row(device, owner, sum[0], sum[1])));
            some.sort(Comparator.comparingLong((Row row) -> -Math.abs(row.difference())));
            rows.addAll(some);
        });
        return rows;
    }

    private static void add(MemoryUse.Result of, int side, Map<String, Map<String, long[]>> sums) {
        for (DeviceMemory device : of.devices()) {
            Map<String, long[]> owners = sums.computeIfAbsent(device.device(), d -> new TreeMap<>());
            for (LiveSet.Row row : device.peakRows()) {
                owners.computeIfAbsent(row.owner().name(), o -> new long[2])[side] += row.bytes();
            }
        }
    }

    /** The sheet of these rows. */
    public static Table sheet(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.text("device", "Number of the device; cpu for memory of the host."), Row::device)
                .add(
                        ColumnSpec.text(
                                "owner",
                                "The innermost operator around the allocation, else the annotation or frame; baseline"
                                        + " for what was allocated before the trace began."),
                        Row::owner)
                .add(ColumnSpec.whole("A", Unit.BYTES, Unit.BYTES, "Bytes at the peak of the first recording."), Row::a)
                .add(ColumnSpec.whole("B", Unit.BYTES, Unit.BYTES, "Bytes at the peak of the second."), Row::b)
                .add(
                        ColumnSpec.whole(
                                "difference",
                                Unit.BYTES,
                                Unit.BYTES,
                                "B less A; all rows of a device are the difference of its peaks."),
                        Row::difference)
                .table("memory_diff", "Peak memory difference", rows);
    }
}
