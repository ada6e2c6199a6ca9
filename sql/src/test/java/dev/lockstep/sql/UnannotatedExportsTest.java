// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.GeneratedSchedule;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalFiles;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.GoalOptions;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.ScheduleNote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules of exports of Nsight Systems whose library has no annotations. */
class UnannotatedExportsTest {
    @TempDir
    Path folder;

    /** A process on a node of its own, with two kernels and no annotations at all. */
    private void export(int node, String... kernels) throws Exception {
        Path file = Files.createDirectories(folder.resolve("traces")).resolve("report_nid00" + node + ".sqlite");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE StringIds (id INTEGER, value TEXT)");
            statement.executeUpdate(
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,"
                            + " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, gridX INTEGER,"
                            + " demangledName INTEGER)");
            for (int i = 0; i < kernels.length; i++) {
                statement.executeUpdate("INSERT INTO StringIds VALUES (" + i + ", 'ncclDevKernel_" + kernels[i] + "')");
                statement.executeUpdate("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + (1000 + 100_000 * i) + ", "
                        + (41_000 + 100_000 * i) + ", 0, 20, NULL, " + (7L + node << 24) + ", 2, " + i + ")");
            }
        }
    }

    private GeneratedSchedule made() throws Exception {
        return Goal.generate(GoalInput.nsys(folder.resolve("traces")), GoalOptions.DEFAULT);
    }

    /** A reduction of 40 us between two nodes moves a million bytes at 25 GB/s, which takes a ring of two about as long. */
    @Test
    void kernelsAloneBecomeAScheduleThatRuns() throws Exception {
        export(1, "AllReduce_Sum_f32_RING_LL(x)", "SendRecv(x)");
        export(2, "AllReduce_Sum_f32_RING_LL(x)", "SendRecv(x)");

        GeneratedSchedule made = made();
        made.writeTo(folder.resolve("out"), GoalFiles.DEFAULT);

        GoalSchedule schedule = Goal.read(folder.resolve("out").resolve(GoalFiles.TEXT));
        assertThat(made.isWhole()).isTrue();
        assertThat(made.notes())
                .extracting(ScheduleNote::code)
                .contains("annotations_missing", "size_assumed", "pairs_assumed")
                .doesNotContain("nodes_assumed");
        assertThat(schedule.verify().correct()).isTrue();
        assertThat(schedule.counts().bytes()).isEqualTo(2 * (1_000_000 + 1_000_000));
        assertThat(schedule.simulate(Network.DEFAULT).makespanNs()).isBetween(140_000L, 600_000L);
    }

    /** The others are as without it, and it is said which file was not read. */
    @Test
    void anExportThatCannotBeReadCostsItsRanks() throws Exception {
        export(1, "AllReduce_Sum_f32_RING_LL(x)");
        export(2, "AllReduce_Sum_f32_RING_LL(x)");
        export(3, "AllReduce_Sum_f32_RING_LL(x)");
        Path damaged = folder.resolve("traces/report_nid001.sqlite");
        Files.write(damaged, Arrays.copyOf(Files.readAllBytes(damaged), 5000));

        GeneratedSchedule made = made();

        assertThat(made.isWhole()).isFalse();
        assertThat(made.ranks()).isEqualTo(2);
        assertThat(made.notes())
                .filteredOn(note -> note.code().equals("rank_incomplete"))
                .singleElement()
                .satisfies(note -> assertThat(note.first()).contains("rank 0: ", "report_nid001.sqlite"));
    }

    @Test
    void oneRankAloneIsNoErrorButNoted() throws Exception {
        export(1, "AllReduce_Sum_f32_RING_LL(x)");

        GeneratedSchedule made = made();

        assertThat(made.isWhole()).isFalse();
        assertThat(made.notes()).extracting(ScheduleNote::code).contains("annotations_missing", "members_missing");
    }
}
