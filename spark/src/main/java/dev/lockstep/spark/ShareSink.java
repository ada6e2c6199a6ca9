// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.analyze.comm.StepsByRank.Step;
import dev.lockstep.dataset.BatchSink;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RowBatch;
import dev.lockstep.spark.RankShare.KernelName;
import dev.lockstep.spark.RankShare.Sums;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps, of the rows of a rank in the tables of a dataset, what a report of the run needs. Confined to one thread. */
final class ShareSink implements BatchSink {
    private static final DatasetTable STEPS = DatasetTables.STEPS;
    private static final DatasetTable KERNELS = DatasetTables.KERNELS;
    private static final String COMPUTE = "compute";
    private static final String COMMUNICATION = "communication";
    private final List<Step> steps = new ArrayList<>();
    private final Map<KernelName, Sums> kernels = new HashMap<>();
    private final Map<String, Long> names = new HashMap<>();
    private final Map<String, Long> called = new HashMap<>();

    @Override
    public boolean wants(DatasetTable table) {
        return table.equals(STEPS) || table.equals(KERNELS);
    }

    @Override
    public RowBatch batch(DatasetTable table) {
        return new RowBatch(table);
    }

    @Override
    public void add(RowBatch batch) {
        if (batch.table().equals(STEPS)) {
            addSteps(batch);
        } else if (batch.table().equals(KERNELS)) {
            addKernels(batch);
        }
    }

    List<Step> steps() {
        return new ArrayList<>(steps);
    }

    Map<KernelName, Sums> kernels() {
        return kernels;
    }

    Map<String, Long> names() {
        return names;
    }

    Map<String, Long> called() {
        return called;
    }

    private void addSteps(RowBatch batch) {
        long[] numbers = batch.longs(STEPS.column("step"));
        long[] places = batch.longs(STEPS.column("step_index"));
        long[] activities = batch.longs(STEPS.column("activities"));
        long[] period = batch.longs(STEPS.column("period_ns"));
        long[] own = batch.longs(STEPS.column("own_ns"));
        long[] computation = batch.longs(STEPS.column("computation_ns"));
        long[] copies = batch.longs(STEPS.column("exposed_copies_ns"));
        for (int row = 0; row < batch.size(); row++) {
            if (places[row] != LongColumn.ABSENT && activities[row] > 0 && period[row] != LongColumn.ABSENT) {
                steps.add(new Step(
                        numbers[row], (int) places[row], period[row], own[row], computation[row], copies[row]));
            }
        }
    }

    private void addKernels(RowBatch batch) {
        long[] step = batch.longs(KERNELS.column("step"));
        long[] counts = batch.longs(KERNELS.column("count"));
        long[] sums = batch.longs(KERNELS.column("sum_ns"));
        for (int row = 0; row < batch.size(); row++) {
            String name = text(batch, "name", row);
            String of = text(batch, "kernel_class", row);
            if (name != null && COMMUNICATION.equals(of) && step[row] != LongColumn.ABSENT) {
                called.merge(name, counts[row], Long::sum);
            } else if (name != null && COMPUTE.equals(of)) {
                names.merge(name, counts[row], Long::sum);
                if (step[row] != LongColumn.ABSENT) {
                    kernels.merge(
                            new KernelName(name, text(batch, "dims", row)),
                            new Sums(counts[row], sums[row]),
                            Sums::plus);
                }
            }
        }
    }

    private static @Nullable String text(RowBatch batch, String column, int row) {
        int place = KERNELS.column(column);
        int id = batch.texts(place)[row];
        StringPool pool = batch.pool(place);
        return id < 0 ? null : Objects.requireNonNull(pool).get(id);
    }
}
