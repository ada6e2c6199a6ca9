// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Finding;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of jobs that are small enough to be worked out by hand. */
class DiagnosisTest {
    private static final String ALL = "[0, 1, 2, 3]";

    @TempDir
    private Path folder;

    private List<String> said() throws IOException {
        try (Session session = new Session(1)) {
            return Hangs.of(Hangs.files(List.of(folder.toString())), List.of(), "", true, session, read -> {})
                    .report()
                    .findings()
                    .stream()
                    .map(Finding::text)
                    .toList();
        }
    }

    private DumpText rank() {
        return new DumpText().group("0", ALL).call("0", "all_reduce", 8, "completed");
    }

    @Test
    void whoMakesNoCallIsWaitedFor() throws IOException {
        for (int rank = 0; rank < 3; rank++) {
            rank().call("0", "broadcast", 16, "started").write(folder, rank);
        }
        rank().write(folder, 3);
        assertThat(said().getFirst())
                .isEqualTo("Rank 3 never called broadcast of 16 Float: operation 2 of group 0 (ranks 0-3).");
    }

    @Test
    void theMajorityIsRight() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            rank().call("0", "all_reduce", rank == 1 ? 7 : 8, "started").write(folder, rank);
        }
        assertThat(said()).hasSize(1);
        assertThat(said().getFirst()).startsWith("Rank 1 called all_reduce of 7 Float where the others called");
    }

    @Test
    void twoAgainstTwoAreNotJudged() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            rank().call("0", "all_reduce", rank < 2 ? 7 : 8, "started").write(folder, rank);
        }
        assertThat(said().getFirst()).contains("disagree", "The dumps do not say who is right.");
    }

    @Test
    void whoLeftNoDumpIsOnlySuspectedWhereNobodyElseIs() throws IOException {
        for (int rank = 0; rank < 3; rank++) {
            rank().call("0", "broadcast", 16, "started").write(folder, rank);
        }
        assertThat(said().getFirst()).startsWith("Rank 3 left no dump, and the others wait for it");
        for (int rank = 0; rank < 2; rank++) {
            rank().call("0", "broadcast", 16, "started").write(folder, rank);
        }
        rank().write(folder, 2);
        assertThat(said().getFirst()).startsWith("Rank 2 never called broadcast");
    }

    @Test
    void ranksThatWaitForEachOtherAreACircle() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            String first = rank == 0 ? "1" : "2";
            String second = rank == 0 ? "2" : "1";
            new DumpText()
                    .group("1", "[0, 1]")
                    .group("2", "[0, 1]")
                    .call(first, "all_reduce", 8, "started")
                    .call(second, "all_reduce", 8, "scheduled")
                    .write(folder, rank);
        }
        assertThat(said().getFirst()).startsWith("Ranks 0, 1 wait for each other in a circle");
    }

    @Test
    void waitsLeadOnToWhoeverWaitsForNobody() throws IOException {
        // 0 waits for 1 in a message, 1 for 2 in another, 2 did not send
        DumpText first = new DumpText().group("0", ALL).call("0", "recv 0<-1", 4, "started");
        DumpText second = new DumpText().group("0", ALL).call("0", "recv 1<-2", 4, "started");
        first.write(folder, 0);
        second.write(folder, 1);
        rank().write(folder, 2);
        rank().write(folder, 3);
        assertThat(said().getFirst()).startsWith("Rank 2 never called");
        assertThat(said()).noneMatch(text -> text.startsWith("Rank 1 never"));
    }

    @Test
    void aMessageOfAnotherSizeIsNamedOnBothSides() throws IOException {
        new DumpText().group("0", "[0, 1]").call("0", "send 0->1", 4, "started").write(folder, 0);
        new DumpText().group("0", "[0, 1]").call("0", "recv 1<-0", 8, "started").write(folder, 1);
        assertThat(said().getFirst()).contains("send 0->1 of 4 Float").contains("recv 1<-0 of 8 Float");
    }

    @Test
    void whatEndedOnOthersIsStuckOnOneDevice() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            rank().call("0", "all_reduce", 8, rank == 2 ? "started" : "completed")
                    .write(folder, rank);
        }
        assertThat(said().getFirst()).startsWith("Rank 2 is stuck on the device");
    }

    @Test
    void whatAllCalledAndNoneEndedAccusesNobody() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            rank().call("0", "all_reduce", 8, "started").write(folder, rank);
        }
        assertThat(said().getFirst()).startsWith("All members called all_reduce of 8 Float and none completed it");
    }

    @Test
    void aJobThatGoesOnIsNoHang() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            rank().write(folder, rank);
        }
        assertThat(said()).containsExactly("No hang: no rank waits in a call that did not complete.");
    }

    @Test
    void aRankThatItsOwnGroupDoesNotNameWaitsAnyway() throws IOException {
        new DumpText()
                .group("1", "[0, 1]")
                .call("1", "all_reduce", 8, "started")
                .write(folder, 3);
        assertThat(said().getFirst()).contains("ranks 0, 1", "left no dump");
    }

    @Test
    void groupsOfOneNameAndOtherRanksAreApart() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            DumpText own = new DumpText().group("1", rank < 2 ? "[0, 1]" : "[2, 3]");
            own.call("1", "all_reduce", rank < 2 ? 8 : 9, "completed");
            (rank == 3 ? own : own.call("1", "all_reduce", 8, rank < 2 ? "completed" : "started")).write(folder, rank);
        }
        assertThat(said()).hasSize(1);
        assertThat(said().getFirst())
                .startsWith("Rank 3 never called all_reduce")
                .contains("(ranks 2, 3)");
    }
}
