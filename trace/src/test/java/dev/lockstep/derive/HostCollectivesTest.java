// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.HostCollectives.Wait;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostCollectivesTest {
    private static final long US = 1_000;
    private static final String GROUPS = "\"pg_config\": [{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\","
            + " \"backend_config\": \"cpu:gloo,cuda:gloo\", \"pg_size\": 3, \"ranks\": [4, 5, 6]}]";

    private final EventText events = new EventText();

    private static String dims(long elements) {
        return "\"Input type\": [\"float\"], \"Input Dims\": [[" + elements + "]]";
    }

    private EventText issue(String name, long ts, long dur, long elements) {
        return events.op(name, ts * US, dur * US, "\"Input Dims\": [[[" + elements + "]], [], []]");
    }

    private EventText gloo(String name, int thread, long ts, long dur, String args) {
        return events.complete("user_annotation", name, "1", Integer.toString(thread), ts * US, dur * US, args);
    }

    private Trace trace() {
        return TestTraces.of(events);
    }

    private Trace trace(String info) {
        String document = TestTraces.document(events.toString());
        return TestTraces.parse(document.replaceFirst(
                        "\\{",
                        "{\"distributedInfo\": {\"backend\": \"gloo\", \"rank\": 1," + " \"world_size\": 3, " + info
                                + "}, "))
                .withRank(new Rank(1, Rank.Origin.TRACE));
    }

    private static HostCollectives of(Trace trace) {
        return new DerivedCache(trace).get(new HostCollectives.Key());
    }

    private static RankCollectives kept(Trace trace) {
        return new DerivedCache(trace).get(RankCollectives.Key.standard());
    }

    private static List<Long> issues(Trace trace, HostCollectives collectives) {
        return IntStream.range(0, collectives.size())
                .mapToObj(i -> collectives.issue(i) < 0 ? -1 : trace.slices().ts(collectives.issue(i)) / US)
                .toList();
    }

    @Test
    void eachBelongsToTheEarliestOperatorOfItsKindAndShapes() {
        issue("c10d::allreduce_", 0, 2, 100);
        issue("c10d::allreduce_", 3, 2, 200);
        issue("c10d::broadcast_", 6, 2, 300);
        issue("c10d::allreduce_", 9, 2, 100);
        gloo("gloo:all_reduce", 7, 10, 5, dims(200));
        gloo("gloo:all_reduce", 8, 11, 5, dims(100));
        gloo("gloo:broadcast", 7, 20, 5, dims(300));
        gloo("gloo:all_reduce", 8, 21, 5, dims(100));
        Trace trace = trace();
        HostCollectives found = of(trace);
        assertThat(issues(trace, found)).containsExactly(3L, 0L, 6L, 9L);
        assertThat(kept(trace).inOrderOfIssue()).containsExactly(1, 0, 2, 3);
    }

    @Test
    void aRankIsThereOnceItsDeviceIsThrough() {
        issue("c10d::allreduce_", 0, 2, 100);
        gloo("gloo:all_reduce", 7, 5, 50, dims(100));
        events.complete("cuda_runtime", "cudaStreamSynchronize", "1", "7", 6 * US, 9 * US, "\"correlation\": 3");
        events.complete("cpu_op", "aten::copy_", "1", "7", 45 * US, 6 * US, "");
        Trace trace = trace();
        HostCollectives found = of(trace);
        assertThat(found.isApart(0)).isTrue();
        assertThat(List.of(found.start(0) / US, found.end(0) / US)).containsExactly(15L, 45L);
        RankCollectives kept = kept(trace);
        assertThat(kept.isOnHost(0)).isTrue();
        assertThat(kept.ts(0) / US).isEqualTo(15);
        assertThat(kept.dur(0) / US).isEqualTo(30);
        assertThat(kept.launch(0) / US).isEqualTo(5);
        assertThat(kept.stream(0)).isEqualTo(-1);
        assertThat(kept.work().exposed().total() / US).isEqualTo(30);
    }

    @Test
    void onAThreadThatDoesOtherThingsItLastsAsLongAsItsSlice() {
        events.complete("user_annotation", "mpi:all_reduce", "1", "1", 10 * US, 30 * US, dims(5));
        events.op("aten::mul", 12 * US, 3 * US);
        events.op("aten::add", 45 * US, 3 * US);
        HostCollectives found = of(trace());
        assertThat(found.isApart(0)).isFalse();
        assertThat(List.of(found.start(0) / US, found.end(0) / US)).containsExactly(10L, 40L);
        assertThat(kept(trace()).call(0).host()).isEqualTo("mpi");
    }

    /** A thread that goes on at once after a collective has waited for it, one that worked meanwhile has not. */
    @Test
    void aThreadThatStandsStillUntilItsCollectiveEndsWaits() {
        issue("c10d::allreduce_", 0, 2, 100);
        for (long at = 2; at < 20; at += 2) {
            events.op("aten::mul", at * US, US);
        }
        issue("c10d::allreduce_", 20, 2, 200);
        gloo("gloo:all_reduce", 7, 1, 10, dims(100));
        gloo("gloo:all_reduce", 8, 22, 58, dims(200));
        events.op("aten::copy_", 83 * US, 2 * US);
        assertThat(of(trace()).waits()).containsExactly(new Wait(0, 22 * US, 83 * US, List.of(0, 1)));
    }

    @Test
    void withoutDevicesOperatorsOfTheHostHideExchanges() {
        issue("c10d::allreduce_", 0, 2, 100);
        events.op("aten::mm", 5 * US, 20 * US);
        gloo("gloo:all_reduce", 7, 3, 57, dims(100));
        events.op("aten::copy_", 61 * US, 2 * US);
        assertThat(kept(trace()).work().exposed().total() / US).isEqualTo(57 - 20);
    }

    @Test
    void theOnlyGroupOfALibraryIsTheGroupOfItsCollectives() {
        gloo("gloo:all_reduce", 7, 3, 57, dims(100));
        RankCollectives kept = kept(trace(GROUPS));
        CollectiveCall call = kept.call(0);
        assertThat(call.group()).isEqualTo("0");
        assertThat(call.groupRanks()).isEqualTo("[4, 5, 6]");
        assertThat(call.groupSize()).isEqualTo(3);
        assertThat(call.kind()).isEqualTo(CollectiveKind.ALL_REDUCE);
        assertThat(call.name()).isEqualTo("gloo:all_reduce");
        assertThat(call.inElements()).isEqualTo(100);
        assertThat(Bandwidth.size(call, 3)).isEqualTo(400);
        assertThat(CollectiveMatch.of(List.of(kept)).groups().getFirst().basis())
                .isEqualTo(Basis.GROUP_AND_ORDER);
    }

    @Test
    void recordsOfParametersSayMore() {
        issue("c10d::allreduce_", 0, 4, 100);
        events.op(
                "record_param_comms",
                US,
                2 * US,
                "\"Collective name\": \"allreduce\", \"dtype\": \"Float\", \"In msg nelems\": 100, \"Out msg nelems\":"
                        + " 100, \"Group size\": 2, \"Process Group Name\": \"9\", \"Process Group Ranks\": \"[0, 1]\","
                        + " \"Seq\": 17");
        gloo("gloo:all_reduce", 7, 5, 57, dims(100));
        RankCollectives kept = kept(trace(GROUPS));
        assertThat(kept.size()).isEqualTo(1);
        assertThat(kept.sequence(0)).isEqualTo(17);
        assertThat(kept.call(0).group()).isEqualTo("9");
        assertThat(kept.call(0).dtype()).isEqualTo("Float");
    }

    @Test
    void recordsAloneCountWhereOnlyTheHostServesTheirGroup() {
        String record = "\"Collective name\": \"allreduce\", \"In msg nelems\": 7, \"Process Group Name\": \"";
        events.op("record_param_comms", US, 30 * US, record + "0\"");
        assertThat(kept(trace(GROUPS)).size()).isEqualTo(1);
        assertThat(kept(trace(GROUPS)).end(0) / US).isEqualTo(31);
        assertThat(kept(trace(GROUPS.replace("cpu:gloo,cuda:gloo", "cpu:gloo,cuda:nccl")))
                        .size())
                .isZero();
        assertThat(kept(trace()).size()).isZero();
    }

    @Test
    void whatLaunchesAKernelIsNoCollectiveOfTheHost() {
        issue("c10d::allreduce_", 0, 9, 100);
        events.op("record_param_comms", US, 7 * US, "\"Process Group Name\": \"0\", \"Seq\": 1");
        events.annotation("nccl:all_reduce", 2 * US, 5 * US);
        events.call("cudaLaunchKernelExC", 3 * US, US, 77);
        events.device(
                "kernel",
                "ncclDevKernel_AllReduce",
                20 * US,
                10 * US,
                77,
                20,
                "\"Process Group Name\": \"0\", \"Seq\": 1");
        issue("c10d::allreduce_", 12, 2, 100);
        gloo("gloo:all_reduce", 7, 15, 30, dims(100));
        Trace trace = trace(GROUPS);
        RankCollectives kept = kept(trace);
        assertThat(IntStream.range(0, kept.size()).mapToObj(kept::isOnHost)).containsExactly(true, false);
        assertThat(issues(trace, of(trace))).containsExactly(12L);
        assertThat(CollectiveMatch.of(List.of(kept)).size()).isEqualTo(2);
    }

    @Test
    void theOtherSideOfAMessageIsNamedByItsOperator() {
        events.op(
                "c10d::send",
                0,
                2 * US,
                "\"Concrete Inputs\": [\"\", \"\", \"2\", \"0\"], \"Input Dims\": [[[8]], []]");
        gloo("gloo:send", 1, 1, 20, dims(8));
        Trace trace = trace(GROUPS);
        CollectiveCall call = kept(trace).call(0);
        assertThat(call.kind()).isEqualTo(CollectiveKind.SEND);
        assertThat(call.peer()).isEqualTo(6);
    }

    @Test
    void numbersOfElementsAreAddedUp() {
        assertThat(CollectiveAnnotations.allElements("[[2, 3], [4], []]")).isEqualTo(11);
        assertThat(CollectiveAnnotations.allElements("[]")).isEqualTo(-1);
        assertThat(CollectiveAnnotations.allElements("[[2, x]]")).isEqualTo(-1);
        assertThat(CollectiveAnnotations.allElements("[[9000000000000, 9000000]]"))
                .isEqualTo(-1);
        assertThat(CollectiveAnnotations.allElements("[[2, 3")).isEqualTo(-1);
    }

    @Test
    void namesTellTheLibrary() {
        assertThat(HostCollectives.libraryOf("gloo:all_reduce")).isEqualTo("gloo");
        assertThat(HostCollectives.libraryOf("gloo::all_reduce")).isNull();
        assertThat(HostCollectives.libraryOf("nccl:all_reduce")).isNull();
        assertThat(HostCollectives.libraryOf("gloo:")).isNull();
    }
}
