// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.DoubleList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which chunk and micro-batch every pass of a stage is. A stage goes through its chunks in turn, a group of micro-batches at a
 * time, of which the last may be smaller; backward passes from the last chunk down. How many chunks there are, and how many
 * micro-batches make a group, is found by trial: what one pass makes is there before the next needs it, and what the last stage
 * sends arrives at the first when it was sent. Immutable.
 */
final class ChunkSchedule {
    private static final double CLOCKS = 1e-3;
    private static final double MOST_VIOLATIONS = 0.01;
    private static final double LEAST_MEETINGS = 0.9;

    final List<String> evidence = new ArrayList<>();
    private final RankPlaces places;
    private final RankOperations operations;
    private final double margin;
    private final int passes;
    private int chunks;
    private int group;

    private ChunkSchedule(RankPlaces places, double second) {
        this.places = places;
        operations = places.operations;
        margin = CLOCKS * second;
        passes = operations.of(0, operations.steps()[0], OperationType.FORWARD_COMPUTE).length;
    }

    static ChunkSchedule of(RankPlaces places, double second) throws TraceFormatException {
        ChunkSchedule schedule = new ChunkSchedule(places, second);
        schedule.find();
        return schedule;
    }

    /** The chunk of an operation within its stage, -1 where it has none. */
    int chunk(OperationType type, int sequence, int count) {
        return switch (type) {
            case FORWARD_COMPUTE -> turn(sequence);
            case BACKWARD_COMPUTE -> chunks - 1 - turn(sequence);
            case PARAMS_ALL_GATHER -> (int) ((long) sequence * chunks / count);
            case GRADS_REDUCE_SCATTER -> chunks - 1 - (int) ((long) sequence * chunks / count);
            default -> -1;
        };
    }

    int microBatch(int sequence) {
        int before = before(sequence);
        return before + (sequence - before * chunks) % together(before);
    }

    /** How often the stage has changed its chunk since the group of a pass began. */
    private int turn(int sequence) {
        int before = before(sequence);
        return (sequence - before * chunks) / together(before);
    }

    /** Micro-batches before the group of a pass. */
    private int before(int sequence) {
        return sequence / (group * chunks) * group;
    }

    /** How many make a group that has so many before it. */
    private int together(int before) {
        return Math.min(group, passes / chunks - before);
    }

    private void find() throws TraceFormatException {
        int most = -1;
        int mostGroup = -1;
        int gathers = operations.of(0, operations.steps()[0], OperationType.PARAMS_ALL_GATHER).length;
        for (int v = 1; v <= passes; v++) {
            if (passes % v == 0 && mayBe(v, gathers)) {
                int fitting = fittingGroup(v);
                if (fitting > 0) {
                    most = v;
                    mostGroup = fitting;
                }
            }
        }
        if (most < 0) {
            throw operations.unclear("no order of micro-batches and chunks fits when ranks compute");
        }
        chunks = most;
        group = mostGroup;
        int all = passes / chunks;
        evidence.add(all + (all == 1 ? " micro-batch, " : " micro-batches, ") + chunks
                + (chunks == 1
                        ? " chunk for each stage"
                        : " chunks for each stage, " + group + " micro-batches at a time")
                + ": every pass follows the one that it needs"
                + (chunks == 1
                        ? gathers == 0 && places.stages == 1
                                ? ". Whether the stage has several chunks cannot be told from times."
                                : "."
                        : ", and what the last stage sends arrives at the first."));
    }

    /**
     * Whether a stage may have so many chunks: the parameters of each are gathered by themselves. Within one stage transfers that
     * wait for nobody look like those from chunk to chunk, so that without gathers one chunk is all that can be told.
     */
    private boolean mayBe(int trialChunks, int gathers) {
        return gathers == 0 ? trialChunks == 1 || places.stages > 1 : gathers % trialChunks == 0;
    }

    /** The number of micro-batches that go through a chunk at a time with which the recording agrees, or -1. */
    private int fittingGroup(int trialChunks) {
        chunks = trialChunks;
        int microBatches = passes / trialChunks;
        if (trialChunks == 1) {
            group = microBatches;
            return passesFollow() ? microBatches : -1;
        }
        for (boolean even : new boolean[] {true, false}) {
            for (int trial = microBatches; trial >= 1; trial--) {
                group = trial;
                if (microBatches % trial == 0 == even && passesFollow() && transfersMeet()) {
                    return trial;
                }
            }
        }
        return -1;
    }

    /** The place of a pass in the order of its stage. */
    private int place(boolean forward, int chunk, int microBatch) {
        int turn = forward ? chunk : chunks - 1 - chunk;
        int before = microBatch / group * group;
        return before * chunks + turn * together(before) + microBatch % group;
    }

    private boolean passesFollow() {
        long all = 0;
        long wrong = 0;
        int last = chunks * places.stages - 1;
        for (long step : operations.steps()) {
            for (int d = 0; d < places.dataParallel; d++) {
                for (int b = 0; b < passes / chunks; b++) {
                    for (int g = 0; g < last; g++) {
                        wrong += follows(pass(true, g, d, b, step), pass(true, g + 1, d, b, step)) ? 0 : 1;
                        wrong += follows(pass(false, g + 1, d, b, step), pass(false, g, d, b, step)) ? 0 : 1;
                        all += 2;
                    }
                    wrong += follows(pass(true, last, d, b, step), pass(false, last, d, b, step)) ? 0 : 1;
                    all++;
                }
            }
        }
        return wrong <= all * MOST_VIOLATIONS;
    }

    private boolean follows(int before, int after) {
        return before < 0 || after < 0 || operations.start(after) >= operations.end(before) - margin;
    }

    /** The row of a pass through a chunk of the model, or -1. */
    private int pass(boolean forward, int modelChunk, int dpRank, int microBatch, long step) {
        int[] rows = operations.of(
                places.rank(modelChunk % places.stages, dpRank),
                step,
                forward ? OperationType.FORWARD_COMPUTE : OperationType.BACKWARD_COMPUTE);
        int place = place(forward, modelChunk / places.stages, microBatch);
        return place < rows.length ? rows[place] : -1;
    }

    /** Whether what the last stage sends for the next chunk ends when the first stage has received it. */
    private boolean transfersMeet() {
        double near = 2 * usualDistance();
        long all = 0;
        long met = 0;
        for (long step : operations.steps()) {
            for (int d = 0; d < places.dataParallel; d++) {
                int[] sends = operations.of(places.rank(places.stages - 1, d), step, OperationType.FORWARD_SEND);
                int[] receives = operations.of(places.rank(0, d), step, OperationType.FORWARD_RECV);
                for (int c = 0; c + 1 < chunks; c++) {
                    for (int b = 0; b < passes / chunks; b++) {
                        int send = place(true, c, b) - (passes - sends.length > 0 ? skipped(true, c, b) : 0);
                        int receive =
                                place(true, c + 1, b) - (passes - receives.length > 0 ? skipped(false, c + 1, b) : 0);
                        boolean there = send < sends.length && receive >= 0 && receive < receives.length;
                        all++;
                        met += there
                                        && Math.abs(operations.end(sends[send]) - operations.end(receives[receive]))
                                                <= near
                                ? 1
                                : 0;
                    }
                }
            }
        }
        return met >= all * LEAST_MEETINGS;
    }

    /** How many passes before one need no transfer, where these have no records: the model's first and last chunk. */
    private int skipped(boolean send, int chunk, int microBatch) {
        int before = place(true, chunk, microBatch);
        int count = 0;
        for (int b = 0; b < passes / chunks; b++) {
            count += place(true, send ? chunks - 1 : 0, b) < before ? 1 : 0;
        }
        return count;
    }

    /** How far apart the ends of a transfer usually are where it is known what belongs together: from stage to next stage. */
    private double usualDistance() {
        DoubleList distances = new DoubleList(64);
        for (long step : operations.steps()) {
            for (int s = 0; s + 1 < places.stages; s++) {
                for (int d = 0; d < places.dataParallel; d++) {
                    int[] sends = operations.of(places.rank(s, d), step, OperationType.FORWARD_SEND);
                    int[] receives = operations.of(places.rank(s + 1, d), step, OperationType.FORWARD_RECV);
                    for (int k = 0; sends.length == receives.length && k < sends.length; k++) {
                        distances.add(Math.abs(operations.end(sends[k]) - operations.end(receives[k])));
                    }
                }
            }
        }
        double[] sorted = distances.toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? margin : Math.max(margin / 10, sorted[sorted.length * 9 / 10]);
    }
}
