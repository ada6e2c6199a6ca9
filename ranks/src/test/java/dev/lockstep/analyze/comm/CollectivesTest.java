// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.options.Statistic;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectivesTest {
    private static final String WORLD = "\"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1, 2]\", "
            + "\"Group size\": 3, \"Collective name\": \"allreduce\", \"dtype\": \"Float\", \"In msg nelems\": 3000,"
            + " \"Out msg nelems\": 3000, \"Seq\": ";

    private static RankCollectives rank(Trace trace, int number) {
        return new DerivedCache(trace.withRank(new Rank(number, Rank.Origin.TRACE)))
                .get(RankCollectives.Key.standard());
    }

    /** A kernel, and its launch where there is one. */
    private static EventText kernel(EventText into, long sequence, long launch, long ts, long dur) {
        if (launch >= 0) {
            into.call("cudaLaunchKernel", launch, 1_000, sequence + 1);
        }
        return into.device("kernel", "ncclDevKernel_AllReduce", ts, dur, sequence + 1, 20, WORLD + sequence);
    }

    private static Collectives of(CollectiveOptions options, EventText... ranks) {
        List<RankCollectives> kept = new ArrayList<>();
        for (EventText events : ranks) {
            kept.add(rank(TestTraces.of(events), kept.size()));
        }
        return Collectives.of(kept, options);
    }

    private static Collectives of(EventText... ranks) {
        return of(CollectiveOptions.standard(), ranks);
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE, 4, 1.5",
        "REDUCE_SCATTER, 4, 0.75",
        "ALL_GATHER, 8, 0.875",
        "ALL_TO_ALL, 2, 0.5",
        "ALL_TO_ALL_V, 2, 0.5",
        "GATHER, 4, 0.75",
        "SCATTER, 4, 0.75",
        "BROADCAST, 8, 1",
        "REDUCE, 8, 1",
        "SEND, 2, 1",
        "RECEIVE, 2, 1",
    })
    void busFactorsAreThoseOfNcclTests(CollectiveKind kind, long n, double factor) {
        assertThat(Bandwidth.busFactor(kind, n)).isEqualTo(factor);
    }

    @ParameterizedTest
    @CsvSource({
        // kind, elements in, out, ranks, bytes of bf16 as bandwidths count them
        "ALL_REDUCE, 100, 100, 4, 200",
        "REDUCE_SCATTER, 400, 100, 4, 800",
        "ALL_GATHER, 100, 400, 4, 800",
        "ALL_GATHER, 100, -1, 4, 800",
        "GATHER, 100, 400, 4, 800",
        "GATHER, 100, 0, 4, 800",
        "SCATTER, 0, 100, 4, 800",
        "BROADCAST, 100, 100, 4, 200",
        "SEND, 100, -1, 2, 200",
        "RECEIVE, -1, 100, 2, 200",
        "BARRIER, 1, 1, 4, -1",
        "ALL_REDUCE, 4611686018427387903, 1, 4, 9223372036854775806",
        "ALL_REDUCE, 4611686018427387904, 1, 4, -1",
        "ALL_REDUCE, 9223372036854775807, 1, 4, -1",
        "ALL_GATHER, 4611686018427387904, -1, 4, -1",
    })
    void sizesAreThoseOfNcclTests(CollectiveKind kind, long in, long out, long n, long bytes) {
        CollectiveCall call =
                new CollectiveCall("k", kind, null, null, null, n, "BFloat16", in, out, null, null, -1, -1, null);
        assertThat(Bandwidth.size(call, n)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "Float8_e4m3fn, 1",
        "Float8_e5m2fnuz, 1",
        "Byte, 1",
        "BFloat16, 2",
        "c10::Half, 2",
        "float, 4",
        "long int, 8",
        "ComplexDouble, 16",
        "Unheard, -1"
    })
    void everyElementTypeHasItsSize(String dtype, int bytes) {
        assertThat(Bandwidth.bytes(dtype)).isEqualTo(bytes);
    }

    @Test
    void waitsAreMeasuredToTheLastStartAndPutDownToWhoCameLast() {
        // Starts 1000, 3000 and 9000; the last one was launched at 5000: host late until then, device from then on.
        Collectives collectives = of(
                kernel(new EventText(), 0, 500, 1_000, 10_000),
                kernel(new EventText(), 0, 2_000, 3_000, 8_000),
                kernel(new EventText(), 0, 5_000, 9_000, 2_000));
        Collective only = collectives.all().getFirst();
        assertThat(only.present()).isEqualTo(3);
        assertThat(only.first()).isZero();
        assertThat(only.last()).isEqualTo(2);
        assertThat(only.startSkew()).isEqualTo(8_000);
        assertThat(only.endSkew()).isZero();
        assertThat(only.waited()).isEqualTo(8_000 + 6_000);
        assertThat(only.waitedForHost()).isEqualTo(4_000 + 2_000);
        assertThat(only.waitedForDevice()).isEqualTo(4_000 + 4_000);
        assertThat(only.delay()).isEqualTo(6_000);
        assertThat(only.latency()).isEqualTo(2_000);
        assertThat(only.algorithmBandwidth()).isEqualTo(12_000 / 2e-6, within(1.0));
        assertThat(only.busBandwidth()).isEqualTo(12_000 / 2e-6 * 4 / 3, within(1.0));
        Stragglers.Row worst = Stragglers.of(collectives, RankGains.NONE).getFirst();
        assertThat(worst.rank()).isEqualTo(2);
        assertThat(worst.caused()).isEqualTo(14_000);
        assertThat(worst.waited()).isZero();
    }

    @Test
    void withoutALaunchOnRecordTheCauseIsOpen() {
        Collective only = of(
                        kernel(new EventText(), 0, -1, 1_000, 10_000),
                        kernel(new EventText(), 0, -1, 3_000, 8_000),
                        kernel(new EventText(), 0, -1, 9_000, 2_000))
                .all()
                .getFirst();
        assertThat(only.waited()).isEqualTo(14_000);
        assertThat(only.waitedForHost()).isZero();
        assertThat(only.waitedForDevice()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatRanksWaitedIsWhatWasPutDownToRanks(long seed) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4).withSeed(seed).withStraggler(2, 1.3);
        List<Stragglers.Row> rows =
                rows(Collectives.of(SyntheticTraces.collectives(recipe), CollectiveOptions.standard()));
        long waited = rows.stream().mapToLong(Stragglers.Row::waited).sum();
        assertThat(waited).isPositive();
        assertThat(rows.stream().mapToLong(Stragglers.Row::caused).sum()).isEqualTo(waited);
        assertThat(rows.stream()
                        .mapToLong(r -> r.causedByHost() + r.causedByDevice())
                        .sum())
                .isEqualTo(waited);
        assertThat(rows.getFirst().rank()).isEqualTo(2);
        for (Stragglers.Row row : rows) {
            assertThat(row.waited()).isLessThanOrEqualTo(row.communication());
        }
    }

    @Test
    void aMissingRankLeavesTheOthersWhatTheyWere() {
        EventText a = kernel(kernel(new EventText(), 0, 0, 1_000, 9_000), 1, 20_000, 21_000, 9_000);
        EventText b = kernel(kernel(new EventText(), 0, 0, 2_000, 8_000), 1, 20_000, 24_000, 6_000);
        List<Collective> all = of(a, b).all();
        assertThat(all).hasSize(2).noneMatch(Collective::isWhole);
        assertThat(all).extracting(Collective::expected).containsOnly(3L);
        assertThat(all).extracting(Collective::waited).containsExactly(1_000L, 3_000L);
    }

    @Test
    void clocksThatDifferAreCorrectedUnlessToldOtherwise() {
        EventText[] ranks = {new EventText(), new EventText()};
        for (int i = 0; i < 5; i++) {
            kernel(ranks[0], i, i * 100_000L, i * 100_000L + 1_000, 9_000);
            kernel(ranks[1], i, 5_000_000 + i * 100_000L, 5_000_000 + i * 100_000L + 4_000, 6_000);
        }
        Collectives aligned = of(ranks);
        assertThat(aligned.aligned()).isTrue();
        assertThat(aligned.clocks().line(1).offsetNs()).isEqualTo(5_000_000);
        assertThat(aligned.all()).extracting(Collective::startSkew).containsOnly(3_000L);
        assertThat(aligned.all()).extracting(Collective::last).containsOnly(1);
        Collectives raw = of(new CollectiveOptions(-1, false, CollectiveOptions.STATISTICS, Alignment.NONE), ranks);
        assertThat(raw.aligned()).isFalse();
        assertThat(raw.all()).extracting(Collective::startSkew).containsOnly(5_003_000L);
    }

    @Test
    void nodesAreRunsOfRanks() {
        NodeMap nodes = NodeMap.of(List.of(), 4);
        assertThat(nodes.span(new long[] {0, 3})).isEqualTo(Span.INTRA_NODE);
        assertThat(nodes.span(new long[] {3, 4})).isEqualTo(Span.INTER_NODE);
        assertThat(nodes.span(new long[0])).isEqualTo(Span.UNKNOWN);
        assertThat(NodeMap.of(List.of(), -1).span(new long[] {0, 1})).isEqualTo(Span.UNKNOWN);
    }

    @Test
    void statisticsLeaveOutWhatIsMissing() {
        double[] values = {4, Double.NaN, 1, 2, 5};
        assertThat(Statistic.MEAN.of(values)).isEqualTo(3);
        assertThat(Statistic.MEDIAN.of(values)).isEqualTo(3);
        assertThat(Statistic.STD.of(values)).isEqualTo(Math.sqrt(10 / 3.0), within(1e-12));
        assertThat(Statistic.MAX.of(values)).isEqualTo(5);
        assertThat(Statistic.SUM.of(values)).isEqualTo(12);
        assertThat(Statistic.STD.of(new double[] {1})).isNaN();
        assertThat(values).containsExactly(4, Double.NaN, 1, 2, 5);
    }

    private static List<Stragglers.Row> rows(Collectives collectives) {
        return Stragglers.of(collectives, RankGains.NONE);
    }
}
