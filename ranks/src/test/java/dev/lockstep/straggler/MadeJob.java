// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/**
 * A job of pipelines whose times follow from its durations alone: every stage does one forward and one backward pass in turn (1F1B),
 * transfers take no time, nothing is late. Times are milliseconds here.
 */
final class MadeJob {
    /** An operation, times in milliseconds. */
    record Row(int dpRank, int stage, long step, String type, double start, double duration, int microBatch) {}

    final int dataParallel;
    final int stages;
    final int microBatches;
    final List<Row> rows = new ArrayList<>();
    private final ToDoubleBiFunction<Integer, Integer> factor;
    private final Map<String, Double> ends = new HashMap<>();

    static final double FORWARD = 10;
    static final double BACKWARD = 20;
    static final double OPTIMIZER = 4;

    /** @param factor what the passes of a data-parallel rank and stage take, in units of the usual */
    MadeJob(int dataParallel, int stages, int microBatches, long[] steps, ToDoubleBiFunction<Integer, Integer> factor) {
        this.dataParallel = dataParallel;
        this.stages = stages;
        this.microBatches = microBatches;
        this.factor = factor;
        for (long step : steps) {
            ends.clear();
            step(step);
        }
        rows.sort(Comparator.comparingInt(Row::dpRank)
                .thenComparingInt(Row::stage)
                .thenComparingDouble(Row::start));
    }

    private void step(long step) {
        double[][] done = new double[dataParallel][stages];
        double last = 0;
        for (int d = 0; d < dataParallel; d++) {
            for (int s = 0; s < stages; s++) {
                passes(step, d, s);
            }
        }
        for (int d = 0; d < dataParallel; d++) {
            for (int s = 0; s < stages; s++) {
                done[d][s] = end("b", d, s, microBatches - 1);
                last = Math.max(last, done[d][s]);
                add(d, s, step, "gc", done[d][s], 0, 0);
            }
            double both = Math.max(done[d][0], done[d][stages - 1]);
            for (int s : stages == 1 ? new int[] {0} : new int[] {0, stages - 1}) {
                add(d, s, step, "embedding-grads-all-reduce", done[d][s], both - done[d][s], -1);
                done[d][s] = both;
            }
        }
        for (int d = 0; d < dataParallel; d++) {
            for (int s = 0; s < stages; s++) {
                add(d, s, step, "optimizer-clip-main-grad", done[d][s], last - done[d][s], -1);
                add(d, s, step, "optimizer", last, OPTIMIZER, -1);
            }
        }
    }

    private void passes(long step, int d, int s) {
        for (int b = 0; b < microBatches; b++) {
            double forward = end("f", d, s, b) - FORWARD * factor.applyAsDouble(d, s);
            double backward = end("b", d, s, b) - BACKWARD * factor.applyAsDouble(d, s);
            if (s > 0) {
                double posted = b == 0 ? 0 : end("f", d, s, b - 1);
                add(d, s, step, "forward-recv", posted, Math.max(0, end("f", d, s - 1, b) - posted), -1);
            }
            add(d, s, step, "forward-compute", forward, FORWARD * factor.applyAsDouble(d, s), b);
            if (s < stages - 1) {
                double posted = b == 0 ? 0 : end("f", d, s + 1, b - 1);
                add(d, s, step, "forward-send", end("f", d, s, b), Math.max(0, posted - end("f", d, s, b)), -1);
                double gradients = b == 0 ? firstGradients(d, s) : end("b", d, s, b - 1);
                add(d, s, step, "backward-recv", gradients, Math.max(0, end("b", d, s + 1, b) - gradients), -1);
            }
            add(d, s, step, "backward-compute", backward, BACKWARD * factor.applyAsDouble(d, s), b);
            if (s > 0) {
                double gradients = b == 0 ? firstGradients(d, s - 1) : end("b", d, s - 1, b - 1);
                add(d, s, step, "backward-send", end("b", d, s, b), Math.max(0, gradients - end("b", d, s, b)), -1);
            }
        }
    }

    private int warmUp(int stage) {
        return Math.min(microBatches, stages - stage);
    }

    /** The first gradients may come when the last but one forward pass before them is done. */
    private double firstGradients(int d, int s) {
        return warmUp(s) >= 2 ? end("f", d, s, warmUp(s) - 2) : 0;
    }

    /** When a pass ends: after what it needs, and after the pass before it on its stage. */
    private double end(String pass, int d, int s, int b) {
        String key = pass + " " + d + " " + s + " " + b;
        Double known = ends.get(key);
        if (known == null) {
            known = pass.equals("f") ? forward(d, s, b) : backward(d, s, b);
            ends.put(key, known);
        }
        return known;
    }

    private double forward(int d, int s, int b) {
        double needed = s == 0 ? 0 : end("f", d, s - 1, b);
        double before = b == 0 ? 0 : b < warmUp(s) ? end("f", d, s, b - 1) : end("b", d, s, b - warmUp(s));
        return Math.max(needed, before) + FORWARD * factor.applyAsDouble(d, s);
    }

    private double backward(int d, int s, int b) {
        double needed = s == stages - 1 ? 0 : end("b", d, s + 1, b);
        double before = end("f", d, s, Math.min(microBatches - 1, b + warmUp(s) - 1));
        if (b > 0) {
            before = Math.max(before, end("b", d, s, b - 1));
        }
        return Math.max(needed, before) + BACKWARD * factor.applyAsDouble(d, s);
    }

    private void add(int d, int s, long step, String type, double start, double duration, int microBatch) {
        rows.add(new Row(d, s, step, type, start, duration, microBatch));
    }

    Table table() {
        return table(rows);
    }

    /** These operations as a table, in seconds. */
    Table table(List<Row> chosen) {
        List<ColumnSpec> columns = new ArrayList<>();
        for (String name : List.of("dp_rank", "stage", "rank", "step", "seq_id", "mc", "mb_id", "gmc")) {
            columns.add(ColumnSpec.id(name, "As in the file."));
        }
        columns.add(ColumnSpec.text("optype", "As in the file."));
        columns.add(ColumnSpec.real("start_ts", Unit.NONE, Unit.NONE, "As in the file."));
        columns.add(ColumnSpec.real("duration", Unit.NONE, Unit.NONE, "As in the file."));
        TableBuilder table = new TableBuilder("made", "made", new Schema(columns));
        Map<String, Integer> counts = new HashMap<>();
        for (Row row : chosen) {
            boolean pass = row.type.endsWith("-compute");
            int sequence = counts.merge(row.dpRank + " " + row.stage + " " + row.step + row.type, 1, Integer::sum) - 1;
            table.row(
                    row.dpRank,
                    row.stage,
                    row.stage * dataParallel + row.dpRank,
                    row.step,
                    sequence,
                    pass ? 0 : -1,
                    row.microBatch,
                    pass ? row.stage : -1,
                    row.type,
                    row.start / 1000,
                    row.duration / 1000);
        }
        return table.build();
    }
}
