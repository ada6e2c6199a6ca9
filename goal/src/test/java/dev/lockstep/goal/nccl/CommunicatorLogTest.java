// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommunicatorLogTest {
    private static final List<NcclProcess> PROCESSES =
            List.of(new NcclProcess("000001", 40), new NcclProcess("000002", 40), new NcclProcess("000002", 41));

    @TempDir
    Path folder;

    private CommunicatorLog log(String... lines) throws IOException {
        return CommunicatorLog.read(Files.write(folder.resolve("log"), List.of(lines)));
    }

    private static String member(String host, String pid, int rank) {
        return host + ":" + pid + ":99 [0] NCCL INFO ncclCommInitRankConfig comm 0x55 rank " + rank
                + " nranks 3 cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc - Init START";
    }

    @Test
    void membersAreFoundByProcessAndWhereThoseAreEqualByHost() throws IOException {
        CommunicatorLog log = log(
                "training begins",
                member("nid000002", "40", 0),
                member("elsewhere", "41", 1),
                member("nid000001", "40", 2));

        assertThat(log.members("0xabc", Set.of(0, 1, 2), PROCESSES)).isEqualTo(Map.of(0, 1, 1, 2, 2, 0));
        assertThat(log.size("0xabc", Set.of(0))).isEqualTo(3);
    }

    @Test
    void aHostIsTheNodeOfWhoseNameMostAgrees() throws IOException {
        List<NcclProcess> processes = List.of(new NcclProcess("15", 40), new NcclProcess("5", 40));
        CommunicatorLog log = log(member("node5", "40", 0), member("node15", "40", 1));

        assertThat(log.members("0xabc", Set.of(0, 1), processes)).isEqualTo(Map.of(0, 1, 1, 0));
    }

    @Test
    void whatItDoesNotKnowHasNoMembers() throws IOException {
        CommunicatorLog log = log(member("nid000002", "123456789012345678901234567890", 0));

        assertThat(log.members("0xabc", Set.of(0, 1, 2), PROCESSES)).isEmpty();
        assertThat(log.size("0xabc", Set.of(0, 2))).isEqualTo(2);
    }

    @Test
    void aLogThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> CommunicatorLog.read(folder.resolve("none")))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("no such file");
    }
}
