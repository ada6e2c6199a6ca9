// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.report.Finding;
import dev.lockstep.straggler.OperationTable;
import dev.lockstep.straggler.StragglerAnalysis;
import dev.lockstep.straggler.StragglerFigures;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerReport;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How tables of operations come about when chance alone makes passes of pipelines (1F1B) longer and shorter.
 *
 * @param words what it is called in tables
 * @param dataParallel number of pipelines
 * @param stages their stages
 * @param steps number of steps
 * @param alike correlation of what a worker takes in neighbouring steps
 * @param scatter standard deviation of what a worker takes in a step, as a share of it
 * @param work the same of what a micro-batch takes on all stages, as where sequences differ in length
 */
record CourseOfJobs(String words, int dataParallel, int stages, int steps, double alike, double scatter, double work) {
    private static final int MICRO_BATCHES = 6;
    private static final double FORWARD = 0.010;
    private static final double BACKWARD = 0.020;
    private static final double OPTIMIZER = 0.004;
    private static final double PASS_SCATTER = 0.005;
    private static final int SLOW_PIPELINE = 1;
    private static final int SLOW_STAGE = 1;

    static List<CourseOfJobs> all() {
        return List.of(
                new CourseOfJobs("independent steps", 4, 2, 20, 0, 0.02, 0),
                new CourseOfJobs("neighbouring steps alike", 4, 2, 20, 0.5, 0.02, 0),
                new CourseOfJobs("4 workers, three steps, alike", 2, 2, 3, 0.5, 0.02, 0),
                new CourseOfJobs("4 workers, 6 steps, much scatter, alike", 2, 2, 6, 0.5, 0.06, 0),
                new CourseOfJobs("three steps, much scatter, alike", 4, 2, 3, 0.5, 0.06, 0),
                new CourseOfJobs("16 workers, 6 steps, alike", 4, 4, 6, 0.5, 0.02, 0),
                new CourseOfJobs("16 workers, 6 steps, work varies by 20 %", 4, 4, 6, 0, 0.02, 0.2));
    }

    /** By verdict, whether it is claimed when one worker takes so much longer. */
    Map<String, Boolean> claims(RandomGenerator random, double slower) {
        StragglerRules rules = StragglerRules.standard();
        StragglerFigures figures;
        try {
            OperationTable table = OperationTable.of("made", new Job(random, slower).table(), rules);
            figures = StragglerAnalysis.of(table, new StragglerOptions(), rules);
        } catch (TraceFormatException e) {
            throw new IllegalStateException(e);
        }
        List<Finding> findings =
                StragglerReport.of(figures, List.of(), List.of()).findings();
        return Map.of(
                "`stragglers --table`: single workers are slow",
                findings.stream()
                        .anyMatch(finding -> finding.code().equals("straggler_kind")
                                && (finding.text().contains("single workers are slow")
                                        || finding.text().contains("lies in single workers"))));
    }

    /** One job: durations by chance, times from them. */
    private final class Job {
        private final RandomGenerator random;
        private final double slower;
        private final TableBuilder rows;
        /** By forward and backward passes, pipeline, stage and micro-batch: how long, and when it ends; 0 while that is not known. */
        private final double[][][][] takes = new double[2][dataParallel][stages][MICRO_BATCHES];

        private final double[][][][] ends = new double[2][dataParallel][stages][MICRO_BATCHES];
        private final Map<String, Integer> counts = new HashMap<>();
        private long step;

        Job(RandomGenerator random, double slower) {
            this.random = random;
            this.slower = slower;
            List<ColumnSpec> columns = new ArrayList<>();
            for (String name : List.of("dp_rank", "stage", "rank", "step", "seq_id", "mc", "mb_id", "gmc")) {
                columns.add(ColumnSpec.id(name, "As in a file."));
            }
            columns.add(ColumnSpec.text("optype", "As in a file."));
            columns.add(ColumnSpec.real("start_ts", Unit.NONE, Unit.NONE, "As in a file."));
            columns.add(ColumnSpec.real("duration", Unit.NONE, Unit.NONE, "As in a file."));
            rows = new TableBuilder("made", "made", new Schema(columns));
            double[][] course = new double[dataParallel][stages];
            for (double[] ofPipeline : course) {
                Arrays.setAll(ofPipeline, stage -> random.nextGaussian());
            }
            for (step = 0; step < steps; step++) {
                draw(course);
                write();
                for (double[] ofPipeline : course) {
                    Arrays.setAll(
                            ofPipeline,
                            stage -> alike * ofPipeline[stage] + Math.sqrt(1 - alike * alike) * random.nextGaussian());
                }
            }
        }

        Table table() {
            return rows.build();
        }

        private void draw(double[][] course) {
            for (int d = 0; d < dataParallel; d++) {
                double[] length = new double[MICRO_BATCHES];
                Arrays.setAll(length, b -> Math.max(0.2, 1 + work * random.nextGaussian()));
                for (int s = 0; s < stages; s++) {
                    double worker =
                            (1 + scatter * course[d][s]) * (d == SLOW_PIPELINE && s == SLOW_STAGE ? 1 + slower : 1);
                    for (int b = 0; b < MICRO_BATCHES; b++) {
                        for (int pass = 0; pass < 2; pass++) {
                            takes[pass][d][s][b] = (pass == 0 ? FORWARD : BACKWARD)
                                    * worker
                                    * length[b]
                                    * (1 + PASS_SCATTER * random.nextGaussian());
                            ends[pass][d][s][b] = 0;
                        }
                    }
                }
            }
        }

        private int warmUp(int stage) {
            return Math.min(MICRO_BATCHES, stages - stage);
        }

        private double forward(int d, int s, int b) {
            if (ends[0][d][s][b] == 0) {
                double needed = s == 0 ? 0 : forward(d, s - 1, b);
                double before = b == 0 ? 0 : b < warmUp(s) ? forward(d, s, b - 1) : backward(d, s, b - warmUp(s));
                ends[0][d][s][b] = Math.max(needed, before) + takes[0][d][s][b];
            }
            return ends[0][d][s][b];
        }

        private double backward(int d, int s, int b) {
            if (ends[1][d][s][b] == 0) {
                double needed = s == stages - 1 ? 0 : backward(d, s + 1, b);
                double before = forward(d, s, Math.min(MICRO_BATCHES - 1, b + warmUp(s) - 1));
                double last = b == 0 ? 0 : backward(d, s, b - 1);
                ends[1][d][s][b] = Math.max(Math.max(needed, before), last) + takes[1][d][s][b];
            }
            return ends[1][d][s][b];
        }

        private void write() {
            counts.clear();
            double last = 0;
            for (int d = 0; d < dataParallel; d++) {
                for (int s = 0; s < stages; s++) {
                    passes(d, s);
                    last = Math.max(last, backward(d, s, MICRO_BATCHES - 1));
                }
            }
            for (int d = 0; d < dataParallel; d++) {
                double both = Math.max(backward(d, 0, MICRO_BATCHES - 1), backward(d, stages - 1, MICRO_BATCHES - 1));
                for (int s = 0; s < stages; s++) {
                    double done = backward(d, s, MICRO_BATCHES - 1);
                    row(d, s, "gc", done, done, 0);
                    if (s == 0 || s == stages - 1) {
                        row(d, s, "embedding-grads-all-reduce", done, both, -1);
                        done = both;
                    }
                    row(d, s, "optimizer-clip-main-grad", done, last, -1);
                    row(d, s, "optimizer", last, last + OPTIMIZER, -1);
                }
            }
        }

        private void passes(int d, int s) {
            for (int b = 0; b < MICRO_BATCHES; b++) {
                if (s > 0) {
                    row(d, s, "forward-recv", b == 0 ? 0 : forward(d, s, b - 1), forward(d, s - 1, b), -1);
                }
                row(d, s, "forward-compute", forward(d, s, b) - takes[0][d][s][b], forward(d, s, b), b);
                if (s < stages - 1) {
                    row(d, s, "forward-send", forward(d, s, b), b == 0 ? 0 : forward(d, s + 1, b - 1), -1);
                    row(d, s, "backward-recv", posted(d, s, b), backward(d, s + 1, b), -1);
                }
                row(d, s, "backward-compute", backward(d, s, b) - takes[1][d][s][b], backward(d, s, b), b);
                if (s > 0) {
                    row(d, s, "backward-send", backward(d, s, b), posted(d, s - 1, b), -1);
                }
            }
        }

        /** When a stage is ready for gradients. */
        private double posted(int d, int s, int b) {
            if (b > 0) {
                return backward(d, s, b - 1);
            }
            return warmUp(s) >= 2 ? forward(d, s, warmUp(s) - 2) : 0;
        }

        private void row(int d, int s, String type, double start, double end, int microBatch) {
            boolean pass = type.endsWith("-compute");
            int sequence = counts.merge(d + " " + s + " " + type, 1, Integer::sum) - 1;
            rows.row(
                    d,
                    s,
                    s * dataParallel + d,
                    step,
                    sequence,
                    pass ? 0 : -1,
                    microBatch,
                    pass ? s : -1,
                    type,
                    start,
                    Math.max(0, end - start));
        }
    }
}
