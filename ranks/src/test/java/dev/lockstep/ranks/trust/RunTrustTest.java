// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.report.Trust.Verdict;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunTrustTest {
    private static final long US = 1_000;

    private static MatchedRanks run(List<Trace> traces) {
        List<KeptRank> kept = new ArrayList<>();
        for (Trace trace : traces) {
            kept.add(KeptRank.withoutPart(
                    DerivedCache.believing(trace.withRank(new Rank(kept.size(), Rank.Origin.TRACE)))));
        }
        return MatchedRanks.of(kept, "run", CollectiveOptions.standard());
    }

    private static Trust trust(List<Trace> traces) {
        return RunTrust.of(run(traces));
    }

    private static Trace rank(int rank, int ranks, long offset, String group, long[] starts, long[] ends) {
        EventText events = new EventText().op("begin", offset, US);
        for (int i = 0; i < starts.length; i++) {
            events.device(
                    "kernel",
                    "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                    starts[i],
                    ends[i] - starts[i],
                    rank * 1_000 + i + 1,
                    20,
                    "\"Collective name\": \"allreduce\", \"In msg nelems\": 1024, \"Out msg nelems\": 1024,"
                            + " \"dtype\": \"Float\", \"Seq\": " + i + ", \"Group size\": " + ranks + ", " + group);
        }
        return TestTraces.of(events);
    }

    private static final String ALL = "\"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1, 2, 3]\"";

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void syntheticRunsAreSound(int ranks) {
        assertThat(trust(SyntheticTraces.synthetic(
                                SyntheticTraces.smallRecipe(ranks).withSteps(3).withSeed(ranks)))
                        .reasons())
                .isEmpty();
    }

    /** All-reduces end together: a kernel of one rank that runs on for long was written wrongly. */
    @ParameterizedTest
    @CsvSource({"30000, 40, true", "900, 40, false", "30000, 8, false"})
    void aKernelThatEndsLongAfterItsPeersCannotBe(long lateUs, int collectives, boolean told) {
        List<Trace> traces = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            long[] starts = new long[collectives];
            long[] ends = new long[collectives];
            for (int i = 0; i < collectives; i++) {
                starts[i] = (i * 50_000L + 100 + r * 3) * US;
                ends[i] = (i * 50_000L + 200 + r + (r == 2 && i == 5 ? lateUs : 0)) * US;
            }
            traces.add(rank(r, 4, 0, ALL, starts, ends));
        }
        List<Reason> reasons = trust(traces).reasons();
        assertThat(reasons).hasSize(told ? 1 : 0);
        if (told) {
            assertThat(reasons.getFirst().code()).isEqualTo("impossible_duration");
            assertThat(reasons.getFirst().text()).startsWith("In 1 collective one kernel ends long after");
            assertThat(reasons.getFirst().withheld()).contains(Topic.WAITING);
        }
    }

    /** Three ranks wait for the fourth, whose profiler starts later; how long is unknown, and counted nowhere. */
    @ParameterizedTest
    @ValueSource(longs = {5_000, 17_000_000})
    void waitingBeforeTheLastRecordingBeganIsUnknown(long lateUs) {
        List<Trace> traces = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            long begin = r == 3 ? lateUs * US : 0;
            long[] starts = new long[11];
            long[] ends = new long[11];
            for (int i = 0; i < starts.length; i++) {
                long at = (lateUs + 100 + i * 1_000) * US;
                starts[i] = i == 0 && r < 3 ? 10 * US : at + r * US;
                ends[i] = at + 50 * US;
            }
            traces.add(rank(r, 4, begin, ALL, starts, ends));
        }
        MatchedRanks run = run(traces);
        Trust trust = RunTrust.of(run);
        assertThat(trust.reasons()).extracting(Reason::code).containsExactly("late_recording");
        assertThat(trust.reasons().getFirst().count()).isEqualTo(1);
        assertThat(trust.reasons().getFirst().text()).contains("rank 3 last");
        assertThat(run.stragglers().stream().mapToLong(row -> row.waited()).sum())
                .isEqualTo(10 * (3 + 2 + 1) * US);
    }

    /** The clock of one rank is set in the middle of the recording: profilers that started together did not start apart. */
    @ParameterizedTest
    @ValueSource(longs = {50_000, -50_000, 3_000_000})
    void aClockThatIsSetMakesNoLateRecording(long jumpUs) {
        List<Trace> traces = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            long[] starts = new long[400];
            long[] ends = new long[400];
            for (int i = 0; i < starts.length; i++) {
                long jumped = r == 2 && i >= 230 ? jumpUs : 0;
                long at = (4_000_000 + i * 1_000L + jumped) * US;
                starts[i] = at + (r * 7 + i) % 5 * US;
                ends[i] = at + 50 * US;
            }
            traces.add(rank(r, 4, 3_999_000L * US, ALL, starts, ends));
        }
        assertThat(trust(traces).reasons()).extracting(Reason::code).doesNotContain("late_recording");
    }

    @Test
    void twoGroupsOfOneNameAreNoGroupOfFour() {
        List<Trace> traces = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            long[] starts = new long[5];
            long[] ends = new long[5];
            for (int i = 0; i < 5; i++) {
                starts[i] = (100 + i * 1_000 + r * 20) * US;
                ends[i] = (300 + i * 1_000 + r / 2 * 200) * US;
            }
            traces.add(rank(r, 2, 0, "\"Process Group Name\": \"1\"", starts, ends));
        }
        MatchedRanks run = run(traces);
        Trust trust = RunTrust.of(run);
        assertThat(trust.reasons()).extracting(Reason::code).contains("group_contradiction");
        assertThat(run.stragglers().stream().mapToLong(row -> row.waited()).sum())
                .isZero();
    }

    @Test
    void messagesWithoutPartnersWithholdWhoWaited() {
        List<Trace> traces = new ArrayList<>();
        for (int r = 0; r < 2; r++) {
            EventText events = new EventText().op("begin", 0, US);
            for (int i = 0; i < 10; i++) {
                events.kernel("ncclDevKernel_SendRecv", (100 + i * 100) * US, 50 * US, i + 1, 20);
            }
            traces.add(TestTraces.of(events));
        }
        Trust trust = trust(traces);
        assertThat(trust.verdict()).isEqualTo(Verdict.LIMITED);
        assertThat(trust.reasons()).extracting(Reason::code).contains("unpaired_messages");
        assertThat(trust.withheld()).contains(Topic.WAITING, Topic.LATENESS);
    }

    /** What is wrong with one rank is said of it, and limits the run. */
    @Test
    void theReasonsOfARankAreThoseOfTheRun() {
        List<Trace> traces = new ArrayList<>(SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2)));
        EventText events = new EventText();
        for (int i = 0; i < 50; i++) {
            events.call("cudaLaunchKernel", i * 20 * US, US, i + 1);
        }
        traces.add(TestTraces.of(events));
        Trust trust = trust(traces);
        assertThat(trust.reasons()).extracting(Reason::code).contains("lost_activity");
        assertThat(trust.lines()).anyMatch(line -> line.contains("Rank 2: 50 launch calls"));
    }
}
