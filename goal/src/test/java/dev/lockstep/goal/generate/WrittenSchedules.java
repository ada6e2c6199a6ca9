// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.check.ScheduleVerification;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Writes schedules as tests want them, and reads them back. */
public final class WrittenSchedules {
    private static final TimelineOptions PLAIN = new TimelineOptions(false, false, false, false, TagLabel.NONE);

    private WrittenSchedules() {}

    /** The default way to make schedules of a recording. */
    public static TimelineStyle style(RecordedRun recording, boolean merged) {
        return new TimelineStyle(
                recording,
                ScheduleRules.of(recording, WireRules.Real.USUAL, Algorithms.BUILT_IN, UsualCosts.get()),
                new TimelineOptions(merged, PLAIN.wholeWindow(), PLAIN.acrossStreams(), false, PLAIN.label()));
    }

    /** The schedule of all ranks, as it is read from the file that was written. */
    public static StoredSchedule of(RecordedRun recording, ScheduleStyle style, @Nullable TagFormat tags, Path folder)
            throws IOException {
        Path directory = Files.createTempDirectory(folder, "schedule");
        try (ExecutorService workers = Executors.newSingleThreadExecutor()) {
            GoalGenerator generator = GoalGenerator.prepare(recording.gpus().size(), style, tags, budget(), workers);
            new ScheduleWriter(directory, tags != null, false, 4096).text(generator, true, false, workers);
        }
        return new GoalFile(directory.resolve(ScheduleWriter.TEXT)).read(5);
    }

    /** More operations than any schedule of a test has. */
    public static OperationBudget budget() {
        return new OperationBudget("the test", Integer.MAX_VALUE);
    }

    /** What keeps a schedule from running to its end, in words. */
    public static List<String> flaws(StoredSchedule schedule) {
        return ScheduleVerification.check(schedule).first().stream()
                .map(Flaw::text)
                .toList();
    }

    /** Sizes of the messages from one rank to another, in the order of the file. */
    public static List<Long> sent(StoredSchedule schedule, int from, int to) {
        return amounts(schedule.ranks().get(from), Operations.SEND, to);
    }

    /** Sizes of the messages that a rank receives from another, in the order of the file. */
    public static List<Long> received(StoredSchedule schedule, int from, int to) {
        return amounts(schedule.ranks().get(to), Operations.RECV, from);
    }

    private static List<Long> amounts(Operations rank, byte kind, int peer) {
        List<Long> amounts = new ArrayList<>();
        for (int i = 0; i < rank.size(); i++) {
            if (rank.kind(i) == kind && rank.peer(i) == peer) {
                amounts.add(rank.amount(i));
            }
        }
        return amounts;
    }
}
