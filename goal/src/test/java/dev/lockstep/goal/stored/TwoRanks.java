// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Schedules of two ranks, written as text. */
public final class TwoRanks {
    private TwoRanks() {}

    /** Writes {@code x.goal} into a folder; the arguments are the operations of the ranks, a line each. */
    public static Path write(Path folder, String first, String second) throws IOException {
        return Files.writeString(
                folder.resolve("x.goal"), "num_ranks 2\nrank 0 {\n" + first + "\n}\nrank 1 {\n" + second + "\n}\n");
    }

    /** Writes it and reads it, and demands that nothing is wrong with it. */
    public static StoredSchedule read(Path folder, String first, String second) throws IOException {
        StoredSchedule schedule = new GoalFile(write(folder, first, second)).read(20);
        assertThat(schedule.flaws().count()).isZero();
        return schedule;
    }
}
