// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Rank.Origin;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankSetTest {
    @TempDir
    private Path folder;

    private final List<Path> files = new ArrayList<>();

    /** Writes a trace; one that states a rank says so at its head. */
    private void trace(String name, int stated) throws IOException {
        String document = TestTraces.document(new EventText().op("a", 0, 10).toString());
        if (stated >= 0) {
            document = document.replaceFirst(
                    "\\{", "{\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + stated + "}, ");
        }
        write(name, document);
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        files.add(file);
    }

    private RankSet<String> read(RankSelection selection) throws IOException {
        try (Session session = new Session(2)) {
            return RankSet.read(session, files, selection, trace -> trace.info().source(), bytes -> {});
        }
    }

    private <T> RankSet<T> readInOrder(Function<Trace, T> take) throws IOException {
        try (Session session = new Session(2)) {
            return RankSet.readInOrder(
                    session, files, RankSelection.any(), ReadOptions.Keep.MEANING, take, bytes -> {});
        }
    }

    private List<String> names(RankSet<String> ranks) {
        return ranks.members().stream()
                .map(m -> m.rank() + " "
                        + (m.source().isEmpty()
                                ? "-"
                                : folder.relativize(Path.of(m.source())).toString()))
                .toList();
    }

    @Test
    void theTraceIsBelievedBeforeThePathAndThePathBeforeTheOrder() throws IOException {
        trace("rank5.json", 0);
        trace("rank1.json", -1);
        trace("other.json", -1);
        RankSet<String> ranks = read(RankSelection.any());
        assertThat(names(ranks)).containsExactly("0 rank5.json", "1 rank1.json", "2 other.json");
        assertThat(ranks.members()).extracting(Member::origin).containsExactly(Origin.TRACE, Origin.PATH, Origin.ORDER);
        assertThat(ranks.members().getFirst().note()).isEqualTo("the path says rank 5");
        assertThat(ranks.members().getFirst().info().rank().index()).isZero();
        assertThat(ranks.isComplete()).isTrue();
    }

    @Test
    void copiesOfOneTraceUnderNamesOfRanksAreTheRanksOfTheirNames() throws IOException {
        trace("rank0.json", 3);
        trace("rank1.json", 3);
        RankSet<String> ranks = read(RankSelection.any());
        assertThat(names(ranks)).containsExactly("0 rank0.json", "1 rank1.json");
        assertThat(ranks.members().getFirst().note()).isEqualTo("the trace says rank 3");
    }

    @Test
    void aTraceWhoseNameTellsNothingKeepsTheRankThatItStates() throws IOException {
        trace("rank0.json", 3);
        trace("rank1.json", 3);
        trace("other.json", 5);
        assertThat(read(RankSelection.any()).present())
                .extracting(Member::rank, Member::origin)
                .containsExactly(tuple(0, Origin.PATH), tuple(1, Origin.PATH), tuple(5, Origin.TRACE));
    }

    @Test
    void whatWasMadeOfRanksAndLiesBesideThemIsNoFurtherRank() throws IOException {
        trace("rank0.json", 0);
        trace("rank1.json", 1);
        trace("merged.json", 1);
        assertThatThrownBy(() -> read(RankSelection.any()))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("several traces for a rank", "rank 1", "merged.json", "rank1.json");
    }

    @Test
    void localNamesOfSeveralHostsGiveWayToWhatTracesState() throws IOException {
        trace("host0/worker0.json", 0);
        trace("host1/worker0.json", 8);
        assertThat(read(RankSelection.any()).present()).extracting(Member::rank).containsExactly(0, 8);
    }

    /** A damaged number must not take the memory for as many missing ranks. */
    @Test
    void numbersOfRanksBeyondAllMeasureAreNotBelieved() throws IOException {
        Files.writeString(
                folder.resolve("rank0.json"),
                "{\"distributedInfo\": {\"rank\": 0, \"world_size\": 2000000000}, \"traceEvents\": [{\"ph\": \"X\","
                        + " \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}]}");
        files.add(folder.resolve("rank0.json"));
        trace("rank1.json", 1);
        RankSet<String> two = read(RankSelection.any());
        assertThat(names(two)).containsExactly("0 rank0.json", "1 rank1.json");
        assertThat(two.worldSize()).isEqualTo(2);
        assertThat(two.members().getFirst().note()).contains("2000000000 ranks, which is not believed");
    }

    @Test
    void aRankBeyondAllMeasureIsNumberedByItsPlace() throws IOException {
        trace("a/far.json", 2_000_000_000);
        trace("b/rank200000.json", -1);

        RankSet<?> two = read(RankSelection.any());

        assertThat(two.members()).extracting(RankSet.Member::rank).containsExactly(0, 1);
        assertThat(two.members().getFirst().note()).contains("rank 2000000000 is not believed");
        assertThat(two.members().getLast().note()).contains("rank 200000 is not believed");
    }

    @Test
    void tracesThatAreTakenInOrderHaveTheRanksThatAreBelieved() throws IOException {
        trace("rank2.json", 200_000);
        trace("far.json", 300_000);
        trace("rank0.json", 0);
        trace("rank1.json", 1);
        List<Integer> taken = new ArrayList<>();
        RankSet<String> ranks = readInOrder(trace -> {
            taken.add(trace.info().rank().index());
            return trace.info().source();
        });
        assertThat(taken).containsExactly(0, 1, 2, 3);
        assertThat(names(ranks)).containsExactly("0 rank0.json", "1 rank1.json", "2 rank2.json", "3 far.json");
        assertThat(ranks.members().get(2).note()).contains("rank 200000 is not believed");
    }

    @Test
    void aRankBeyondAllMeasureIsNumberedByItsPlaceInOrderToo() throws IOException {
        trace("a/far.json", 2_000_000_000);
        trace("b/near.json", 1);
        List<Integer> taken = new ArrayList<>();

        RankSet<Integer> two = readInOrder(trace -> {
            taken.add(trace.info().rank().index());
            return taken.getLast();
        });

        assertThat(taken).containsExactlyInAnyOrder(0, 1);
        assertThat(two.members()).extracting(RankSet.Member::kept).containsExactly(0, 1);
        assertThat(two.members().getFirst().note()).contains("rank 2000000000 is not believed");
    }

    @Test
    void processesOfFilesWithRanksInTheirNamesHaveTheirPlaces() throws IOException {
        String process = "{\"buffer_records\": {\"hip_api\": [{\"start_timestamp\": 1, \"end_timestamp\": 2}]}}";
        write("rank0_results.json", "{\"rocprofiler-sdk-tool\": [" + process + ", " + process + "]}");
        write("rank1_results.json", "{\"rocprofiler-sdk-tool\": [" + process + ", " + process + "]}");

        assertThat(names(read(RankSelection.any())))
                .containsExactly(
                        "0 rank0_results.json", "1 rank0_results.json", "2 rank1_results.json", "3 rank1_results.json");
    }

    @Test
    void theOrderOfFilesDoesNotMatter() throws IOException {
        trace("x10.json", -1);
        trace("x2.json", -1);
        List<String> one = names(read(RankSelection.any()));
        Collections.reverse(files);
        assertThat(names(read(RankSelection.any()))).isEqualTo(one).containsExactly("0 x2.json", "1 x10.json");
    }

    @Test
    void severalTracesOfARankAreListedUnlessOneIsMeant() throws IOException {
        trace("rank0_step_9.json", 0);
        trace("rank0_step_10.json", 0);
        trace("rank1_step_9.json", 1);
        trace("rank1_step_10.json", 1);
        assertThatThrownBy(() -> read(RankSelection.any()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("several traces for a rank")
                .hasMessageContaining("rank0_step_9.json")
                .extracting(e -> ((UserException) e).hint())
                .asString()
                .contains("step", "latest");
        assertThat(names(read(new RankSelection(9, null, false))))
                .containsExactly("0 rank0_step_9.json", "1 rank1_step_9.json");
        assertThat(names(read(new RankSelection(-1, null, true))))
                .containsExactly("0 rank0_step_10.json", "1 rank1_step_10.json");
        assertThat(names(read(new RankSelection(-1, "*step_10*", false))))
                .containsExactly("0 rank0_step_10.json", "1 rank1_step_10.json");
        assertThatThrownBy(() -> read(new RankSelection(11, null, false))).isInstanceOf(UserException.class);
    }

    @Test
    void gapsAndUnreadableRanksAreMembersThatAreNotWhole() throws IOException {
        trace("rank0.json", 0);
        write("rank1.json", "nonsense");
        trace("rank3.json", 3);
        RankSet<String> ranks = read(RankSelection.any());
        assertThat(ranks.members())
                .extracting(Member::status)
                .containsExactly(Status.READ, Status.UNREADABLE, Status.MISSING, Status.READ);
        assertThat(ranks.isComplete()).isFalse();
        assertThat(ranks.worldSize()).isEqualTo(4);
        assertThat(ranks.present()).extracting(Member::rank).containsExactly(0, 3);
    }

    @Test
    void whatIsNoTraceAndNamesNoRankIsSetAside() throws IOException {
        trace("rank0.json", 0);
        write("settings.json", "{\"a\": 1}");
        RankSet<String> ranks = read(RankSelection.any());
        assertThat(ranks.members()).extracting(Member::status).containsExactly(Status.READ, Status.SET_ASIDE);
        assertThat(ranks.isComplete()).isTrue();
    }

    @Test
    void ifNothingCanBeReadTheFirstReasonIsGiven() throws IOException {
        write("rank0.json", "nonsense");
        write("rank1.json", "");
        assertThatThrownBy(() -> read(RankSelection.any()))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("rank0.json");
    }

    @Test
    void whenOneRankFailsNobodyReadsAnyMore() throws IOException {
        for (int rank = 0; rank < 6; rank++) {
            trace("rank" + rank + ".json", rank);
        }
        CountDownLatch two = new CountDownLatch(2);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        try (Session session = new Session(2)) {
            assertThatThrownBy(() -> RankSet.read(
                            session,
                            files,
                            RankSelection.any(),
                            trace -> {
                                begun.incrementAndGet();
                                two.countDown();
                                try {
                                    two.await();
                                    if (trace.info().source().endsWith("rank0.json")) {
                                        throw new IllegalStateException("full");
                                    }
                                    Thread.sleep(100);
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                } finally {
                                    ended.incrementAndGet();
                                }
                                return "";
                            },
                            bytes -> {}))
                    .hasMessageContaining("full");
            assertThat(ended).hasValue(begun.get());
            assertThat(begun).hasValueLessThan(files.size());
        }
    }
}
