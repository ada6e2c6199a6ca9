// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.kineto.Planning.Launch;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanningTest {
    @TempDir
    Path folder;

    /** 8 MiB of floats on two channels: 1,048,576 elements each, in chunks of 4 steps of 512 KiB. */
    @Test
    void aRingWithSlicesIsCutAsTheLibraryDoes() {
        CollectivePlan plan = Planning.collective(new Launch(
                NcclFunction.ALL_REDUCE, NcclAlgorithm.RING, NcclProtocol.SIMPLE, 2_097_152, 4, 4, 2, 512, 0));

        assertThat(plan.stepBytes()).isEqualTo(524_288);
        assertThat(plan.chunkSteps()).isEqualTo(4);
        assertThat(plan.sliceSteps()).isEqualTo(2);
        // 1,048,576 are half a round of 4 * 524,288, so that the last chunks have 262,144.
        assertThat(plan.channels())
                .containsExactly(
                        new ChannelWork(1_048_576, 524_288, 262_144, true),
                        new ChannelWork(1_048_576, 524_288, 262_144, true));
    }

    /** 64 KiB + 4 bytes with flags on three channels: shares are multiples of 4 KiB. */
    @Test
    void sharesOfChannelsAreAlignedAndAddUp() {
        CollectivePlan plan = Planning.collective(
                new Launch(NcclFunction.ALL_REDUCE, NcclAlgorithm.TREE, NcclProtocol.LL, 16_385, 4, 4, 3, 512, 0));

        assertThat(plan.chunkSteps()).isEqualTo(1);
        assertThat(plan.channels()).extracting(ChannelWork::work).containsExactly(6144L, 6144L, 4097L);
        assertThat(plan.channels()).extracting(ChannelWork::chunk).containsOnly(8192L);
    }

    @Test
    void smallCollectivesUseFewerChannelsThanThereAre() {
        assertThat(Planning.collective(new Launch(
                                NcclFunction.ALL_GATHER, NcclAlgorithm.RING, NcclProtocol.SIMPLE, 5000, 1, 4, 8, -1, 0))
                        .channels())
                .extracting(ChannelWork::work)
                .containsExactly(4096L, 904L);
    }

    @Test
    void chunksOfTheSwitchShrinkUntilAllHeadsAreBusy() {
        assertThat(switchChunk(1L << 30)).isEqualTo(131_072 / 4);
        assertThat(switchChunk(64 << 20)).isEqualTo(65_536 / 4);
        assertThat(switchChunk(8 << 20)).isEqualTo(65_536 / 4);
        assertThat(switchChunk(4 << 20)).isEqualTo(32_768 / 4);
        assertThat(switchChunk((1 << 20) - 4)).isEqualTo(16_384 / 4);
    }

    /** On 2 channels with 8 heads. */
    private static long switchChunk(long bytes) {
        return Planning.collective(new Launch(
                        NcclFunction.ALL_REDUCE, NcclAlgorithm.NVLS, NcclProtocol.SIMPLE, bytes / 4, 4, 8, 2, 512, 0))
                .channels()
                .getFirst()
                .chunk();
    }

    @Test
    void messagesAreChunkedBySizeAndWay() {
        assertThat(Planning.part(true, 1, 16_384, false)).isEqualTo(new Part(true, 1, NcclProtocol.LL, 16_384, 65_536));
        assertThat(Planning.part(true, 1, 16_385, true).chunkBytes()).isEqualTo(524_288);
        assertThat(Planning.part(true, 1, 100_000, false).chunkBytes()).isEqualTo(32_768);
        assertThat(Planning.part(true, 1, 1_000_000, false).chunkBytes()).isEqualTo(65_536);
        assertThat(Planning.part(false, 2, 1 << 20, false))
                .isEqualTo(new Part(false, 2, NcclProtocol.SIMPLE, 1 << 20, 131_072));
    }

    @Test
    void everyRingVisitsAllRanksAndEveryTreeIsOne() {
        for (int ranks = 2; ranks < 20; ranks++) {
            for (int each = 1; each <= ranks; each++) {
                String[] nodes = new String[ranks];
                for (int rank = 0; rank < ranks; rank++) {
                    nodes[rank] = "n" + rank / each;
                }
                DefaultTopology layout = new DefaultTopology(nodes);
                assertThat(layout.oneNode()).isEqualTo(each == ranks);
                assertThat(layout.rings())
                        .isNotEmpty()
                        .allSatisfy(ring -> assertThat(ring.positions()).isNotNull());
                assertThat(layout.trees()).hasSizeGreaterThan(1).allMatch(Tree::sound);
            }
        }
    }

    @Test
    void ringsStayWithinANodeAsLongAsTheyCan() {
        int[] next = new DefaultTopology(new String[] {"a", "b", "a", "b"})
                .rings()
                .get(1)
                .next();

        // The second ring begins with rank 2 in node a and with rank 3 in node b.
        assertThat(next).containsExactly(3, 2, 0, 1);
    }

    @Test
    void topologiesAreReadFromFiles() throws IOException {
        Path file = Files.writeString(folder.resolve("t"), "# two channels\nring 0 2 1\ntree -1 0 0 # a star\n");

        Connections connections = Connections.read(file);

        assertThat(connections.rings(3).getFirst().next()).containsExactly(2, 0, 1);
        assertThat(connections.trees(3).getFirst().children()[0]).containsExactly(1, 2);
        assertThat(connections.rings(4)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ring 0 1 1",
                "ring 0 2",
                "tree 0 1",
                "tree -1 -1",
                "tree 1 0",
                "tree -1 2 1",
                "star 0 1",
                "ring",
                "ring a b"
            })
    void whatIsNoTopologyIsRefusedWithItsLine(String line) throws IOException {
        Path file = Files.writeString(folder.resolve("t"), "ring 0 1\n" + line + "\n");

        assertThatThrownBy(() -> Connections.read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("line 2");
    }
}
