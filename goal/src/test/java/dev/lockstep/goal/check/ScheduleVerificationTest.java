// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.Places;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.goal.stored.TwoRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleVerificationTest {
    @TempDir
    Path folder;

    @Test
    void aScheduleThatRunsHasNoFlaws() throws IOException {
        assertThat(flaws(
                        "a: send 8b to 1 tag 1\nb: recv 8b from 1 tag 2\nb requires a",
                        "a: recv 8b from 0 tag 1\nb: send 8b to 0 tag 2\nb requires a"))
                .isEmpty();
    }

    @Test
    void messagesWithoutAPartnerAreNamedWithTheirCounts() throws IOException {
        assertThat(flaws("send 8b to 1 tag 1\nsend 8b to 1 tag 1\nrecv 4b from 1 tag 9", "recv 8b from 0 tag 1"))
                .containsExactly(
                        "message from rank 0 to rank 1, tag 1: 2 sends, 1 receive; alone: rank 0 line 4",
                        "message from rank 1 to rank 0, tag 9: 0 sends, 1 receive; alone: rank 0 line 5");
    }

    @Test
    void sizesMustBeEqualAsAWhole() throws IOException {
        assertThat(flaws("send 8b to 1\nsend 4b to 1", "recv 4b from 0\nrecv 8b from 0"))
                .isEmpty();
        assertThat(flaws("a: send 8b to 1 tag 5", "b: recv 9b from 0 tag 5"))
                .containsExactly("message from rank 0 to rank 1, tag 5: 8 bytes are sent (rank 0 line 3 (a)),"
                        + " 9 bytes are received (rank 1 line 6 (b))");
        assertThat(flaws("a: send 8b to 1\nb: send 9b to 1", "c: recv 8b from 0\nd: recv 7b from 0"))
                .containsExactly("message from rank 0 to rank 1, tag 0: 8 bytes are sent (rank 0 line 3 (a)),"
                        + " 7 bytes are received (rank 1 line 8 (d))");
    }

    @Test
    void aMessageThatIsSentHasATag() throws IOException {
        assertThat(flaws("send 8b to 1 tag -1", "")).contains("rank 0 line 3: sends with any tag, which is no tag");
    }

    @Test
    void ranksThatThereAreNotAreNoPairs() throws IOException {
        StoredSchedule schedule = read("send 8b to 4294967297\nsend 8b to 7\nsend 8b to 1", "recv 8b from 0");

        assertThat(ScheduleCounting.of(schedule).pairs()).containsExactly(new OfPair(0, 1, 1, 8));
        assertThat(flaws("send 8b to 4294967297\nsend 8b to 7\nsend 8b to 1", "recv 8b from 0"))
                .containsExactly(
                        "rank 0 line 3: names rank 4294967297, but there are only 2 ranks",
                        "rank 0 line 4: names rank 7, but there are only 2 ranks");
    }

    @Test
    void cyclesAreNamedWithTheirMembersAlone() throws IOException {
        assertThat(flaws(
                        "a: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\na requires b\nb irequires c\nc requires a\nd requires c",
                        ""))
                .containsExactly("rank 0: cycle of 3 operations, each waiting for the next: rank 0 line 3 (a),"
                        + " rank 0 line 4 (b), rank 0 line 5 (c); 4 operations of the rank cannot start");
        assertThat(flaws("a: calc 1\na requires a", ""))
                .containsExactly("rank 0: cycle of 1 operation, each waiting for the next: rank 0 line 3 (a);"
                        + " 1 operations of the rank cannot start");
    }

    @Test
    void ranksThatWaitForEachOtherAreNamed() throws IOException {
        assertThat(flaws(
                        "a: recv 8b from 1 tag 1\nb: send 8b to 1 tag 2\nb requires a",
                        "a: recv 8b from 0 tag 2\nb: send 8b to 0 tag 1\nb requires a"))
                .singleElement()
                .asString()
                .startsWith("deadlock: 4 operations never end")
                .contains("rank 0 line 3 (a) recv 8b from 1 tag 1, rank 1 line 9 (b) send 8b to 0 tag 1");
    }

    @Test
    void aDeadlockThatOnlyRendezvousHasIsNamedSo() throws IOException {
        assertThat(flaws(
                        "a: send 8b to 1 tag 1\nb: recv 8b from 1 tag 2\nb requires a",
                        "a: send 8b to 0 tag 2\nb: recv 8b from 0 tag 1\nb requires a"))
                .singleElement()
                .asString()
                .startsWith("deadlock with rendezvous");
    }

    @Test
    void startsSufficeWhereOnlyStartsAreAwaited() throws IOException {
        assertThat(flaws(
                        "a: send 8b to 1 tag 1\nb: recv 8b from 1 tag 2\nb irequires a",
                        "a: send 8b to 0 tag 2\nb: recv 8b from 0 tag 1\nb irequires a"))
                .isEmpty();
    }

    @Test
    void countsAddUp() throws IOException {
        StoredSchedule schedule =
                read("calc 5\ncalc 0\nsend 8b to 1\nsend 4b to 1 tag 1 cpu 3", "recv 8b from 0\nrecv 4b from 0 tag 1");

        ScheduleCounts counts = ScheduleCounting.of(schedule);

        assertThat(counts.pairs()).containsExactly(new OfPair(0, 1, 2, 12));
        assertThat(counts.messages()).isEqualTo(2);
        assertThat(counts.ranks().getFirst().calcNs()).isEqualTo(5);
        assertThat(counts.ranks().getFirst().empty()).isEqualTo(1);
        assertThat(counts.ranks().getFirst().cpus()).isEqualTo(4);
        assertThat(counts.ranks().get(1).bytesReceived()).isEqualTo(12);
    }

    private StoredSchedule read(String first, String second) throws IOException {
        return new GoalFile(TwoRanks.write(folder, first, second)).read(20);
    }

    private List<String> flaws(String first, String second) throws IOException {
        StoredSchedule schedule = read(first, second);
        List<Flaw> flaws = ScheduleVerification.check(schedule).first();
        Places places = Places.of(new GoalFile(folder.resolve("x.goal")), flaws);
        return flaws.stream().map(flaw -> flaw.in(places)).toList();
    }
}
