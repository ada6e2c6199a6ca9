// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.goal.schedule.CostTable;
import dev.lockstep.goal.schedule.Costs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * A run of one communicator that is put together by hand: ranks in a ring and in a tree in their order. Costs can be told
 * apart at a glance: a byte takes 1 ns to reduce and 2 to copy with Simple, 3 and 4 with LL, 5 and 6 with LL128.
 */
final class PlannedRun {
    static final Costs COSTS = new Costs(costs(1, 2), costs(3, 4), costs(5, 6), true, false, 0);

    /** 1000 bytes/us: a byte within a node takes a nanosecond. */
    static final WireRules.Real WIRE = new WireRules.Real(1000, 7);

    private final String[] nodes;
    private final List<List<RecordedOperation>> operations = new ArrayList<>();

    /** @param nodes for each rank its node */
    PlannedRun(String... nodes) {
        this.nodes = nodes;
        for (int rank = 0; rank < nodes.length; rank++) {
            operations.add(new ArrayList<>());
        }
    }

    /** Ranks that share no node. */
    static PlannedRun apart(int ranks) {
        return new PlannedRun(
                IntStream.range(0, ranks).mapToObj(rank -> "node" + rank).toArray(String[]::new));
    }

    /** An operation that all ranks carry out by one plan. */
    PlannedRun all(NcclFunction kind, long bytes, Plan plan) {
        for (int rank = 0; rank < nodes.length; rank++) {
            add(rank, new RecordedOperation(kind, 0, 0, "1", -1, 0, 1, -1, bytes, plan));
        }
        return this;
    }

    PlannedRun add(int rank, RecordedOperation operation) {
        operations.get(rank).add(operation);
        return this;
    }

    RecordedRun recorded() {
        List<Gpu> gpus = new ArrayList<>();
        for (int rank = 0; rank < nodes.length; rank++) {
            gpus.add(new Gpu(nodes[rank], 0, rank, 0, 1000, operations.get(rank)));
        }
        int n = nodes.length;
        Communicator all = new Communicator(
                "0xa", IntStream.range(0, n).toArray(), List.of(Ring.inOrder(n)), List.of(Tree.heap(n)));
        return new RecordedRun(gpus, List.of(all), false, new RecordingNotes());
    }

    /** The text of the schedule. */
    String schedule(Path folder) throws IOException {
        return schedule(folder, new TimelineOptions(false, false, false, false, TagLabel.NONE));
    }

    String schedule(Path folder, TimelineOptions options) throws IOException {
        RecordedRun run = recorded();
        ScheduleStyle style = new TimelineStyle(run, ScheduleRules.of(run, WIRE, Algorithms.BUILT_IN, COSTS), options);
        Path directory = Files.createTempDirectory(folder, "schedule");
        try (ExecutorService workers = Executors.newSingleThreadExecutor()) {
            GoalGenerator generator =
                    GoalGenerator.prepare(nodes.length, style, null, WrittenSchedules.budget(), workers);
            new ScheduleWriter(directory, false, false, 4096).text(generator, true, false, workers);
        }
        return Files.readString(directory.resolve(ScheduleWriter.TEXT));
    }

    private static Map<String, CostTable> costs(long reduce, long copy) {
        return Map.of(CostTable.REDUCE, table(reduce), CostTable.COPY, table(copy));
    }

    private static CostTable table(long perByte) {
        return CostTable.of(Map.of(100L, new long[] {100 * perByte}, 200L, new long[] {200 * perByte}));
    }
}
