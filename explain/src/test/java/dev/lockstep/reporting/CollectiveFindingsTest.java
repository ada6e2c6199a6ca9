// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.EventText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollectiveFindingsTest {
    private static final CollectiveOptions AS_RECORDED =
            new CollectiveOptions(-1, false, CollectiveOptions.STATISTICS, Alignment.NONE);

    @TempDir
    Path folder;

    /** An all-reduce of 3,000 floats, 12,000 bytes, among ranks 0 to n - 1; the launch is left out where it is negative. */
    private static EventText reduce(EventText into, int n, long sequence, long launch, long ts, long dur) {
        return reduce(into, n == 2 ? "0, 1" : "0, 1, 2", sequence, launch, ts, dur);
    }

    private static EventText reduce(EventText into, String group, long sequence, long launch, long ts, long dur) {
        return reduce(into, group, group, sequence, launch, ts, dur);
    }

    private static EventText reduce(
            EventText into, String name, String group, long sequence, long launch, long ts, long dur) {
        if (launch >= 0) {
            into.call("cudaLaunchKernel", launch, 100, sequence + 1);
        }
        return into.device(
                "kernel",
                "ncclDevKernel_AllReduce",
                ts,
                dur,
                sequence + 1,
                20,
                "\"Process Group Name\": \"" + name + "\", \"Process Group Ranks\": \"[" + group
                        + "]\", \"Group size\": " + group.split(", ", -1).length
                        + ", \"Collective name\": \"allreduce\", \"dtype\": \"Float\", \"In msg nelems\": 3000,"
                        + " \"Out msg nelems\": 3000, \"Seq\": " + sequence);
    }

    private List<String> said(CollectiveOptions options, EventText... ranks) throws IOException {
        return Said.all(report(options, ranks));
    }

    private Report report(CollectiveOptions options, EventText... ranks) throws IOException {
        for (int rank = 0; rank < ranks.length; rank++) {
            Files.writeString(
                    folder.resolve("rank" + rank + ".json"),
                    "{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": " + ranks.length
                            + "}, \"traceEvents\": [" + ranks[rank] + "]}");
        }
        try (Session session = new Session(1)) {
            RankSet<KeptRank> set = RankSet.read(
                    session, files(), RankSelection.any(), trace -> KeptRank.of(new DerivedCache(trace)), bytes -> {});
            return CollectiveReport.of(new MatchedRanks(set, "run", options, null));
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private List<String> said(EventText... ranks) throws IOException {
        return said(AS_RECORDED, ranks);
    }

    /** Ranks 0 and 1 start at once, rank 2 starts this much later; all end after 100 us. */
    private static EventText[] late(long launch, long start) {
        return late(1, launch, start);
    }

    private static EventText[] late(int steps, long launch, long start) {
        EventText[] ranks = {new EventText(), new EventText(), new EventText()};
        for (int step = 0; step < steps; step++) {
            long now = step * 100_000L;
            reduce(ranks[0], 3, step, now, now, 100_000);
            reduce(ranks[1], 3, step, now, now, 100_000);
            reduce(ranks[2], 3, step, launch < 0 ? launch : now + launch, now + start, 100_000 - start);
        }
        return ranks;
    }

    // Two ranks wait 3 x 30 us each: 180 of 810 us of communication, all of it for rank 2.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30000 | Its CPU was late: for 100 % of that time it had not launched the kernel yet.",
                "18001 | Its CPU was late: for 60 % of that time it had not launched the kernel yet.",
                "18000 | Both its CPU (60 % of that time before the launch) and its device were late.",
                "12001 | Both its CPU (40 % of that time before the launch) and its device were late.",
                "11999 | Its device was late: for 60 % of that time earlier work delayed the launched " + "kernel.",
                "-1 | The cause is open: most of its launches were not recorded.",
            })
    void theRankThatComesLastIsNamedWithWhatHeldItUp(long launch, String cause) throws IOException {
        assertThat(said(late(3, launch, 30_000)))
                .contains("NOTICE straggler: Ranks spend 22 % of their communication time waiting for the last to "
                        + "arrive (180 µs in total).")
                .anyMatch(
                        text -> text.contains(
                                "slow_rank: Rank 2 is slow: each step takes it 30 µs longer than its peers, throughout the run."))
                .anyMatch(text -> text.startsWith("NOTICE late_rank: Rank 2 came last in 3 of its 3 collectives. The"
                        + " others waited 180 µs for it. " + cause));
    }

    /** Of one or two collectives nobody knows whether the same rank would be late again. */
    @Test
    void withoutRepetitionNoRankIsCalledLate() throws IOException {
        assertThat(said(late(30_000, 30_000)))
                .contains("NOTICE straggler: Ranks spend 22 % of their communication time waiting for the last to "
                        + "arrive (60 µs in total). Rank 2 causes 100 % of it. Too few steps to rule out chance: "
                        + "record at least 3.");
    }

    /** Three stalls on one of three ranks, and at one distance, are no chance. That nobody needs to wait for them is said, too. */
    @Test
    void aRankThatPausesNowAndThenIsNamedWithHowOftenAndHowLong() throws IOException {
        assertThat(said(pausing()))
                .anyMatch(
                        text -> text.startsWith(
                                "INFO slow_rank: Rank 2 stalls in 3 of 20 steps (3, 11, 19): each takes it 20 µs longer than its peers."));
    }

    private static EventText[] pausing() {
        EventText[] ranks = {new EventText(), new EventText(), new EventText()};
        for (int step = 0; step < 20; step++) {
            long now = step * 100_000L;
            long late = step % 8 == 3 ? 10_000L * (step / 8 + 1) : 0;
            reduce(ranks[0], 3, step, now, now, 100_000);
            reduce(ranks[1], 3, step, now, now, 100_000);
            reduce(ranks[2], 3, step, now, now + late, 100_000 - late);
        }
        return ranks;
    }

    /** Before it launches, the host of the late rank stands for 28 of 30 us in a call that waits for a kernel. */
    @Test
    void timeInBlockingCallsBelongsToTheDevice() throws IOException {
        EventText[] ranks = late(3, 30_000, 30_000);
        for (long now = 0; now < 300_000; now += 100_000) {
            for (int other = 0; other < 2; other++) {
                ranks[other].device("kernel", "gemm", now - 2_000, 1_000, -1, 7, "\"device\": 0");
            }
            ranks[2].call("cudaLaunchKernel", now, 100, 900 + now)
                    .device("kernel", "gemm", now + 1_000, 28_000, 900 + now, 7, "\"device\": 0")
                    .call("cudaStreamSynchronize", now + 500, 28_500, -1);
        }
        assertThat(said(ranks))
                .anyMatch(text -> text.startsWith("NOTICE late_rank: Rank 2 came last in 3 of its 3 collectives. The"
                        + " others waited 180 µs for it. Its device was late: for 93 % of that time"));
    }

    /** Steps of 100 us and an all-reduce; the second rank takes 20 us longer, the third 21. */
    @Test
    void allSlowRanksAreNamedTogetherAndAlone() throws IOException {
        EventText[] ranks = {new EventText(), new EventText(), new EventText(), new EventText(), new EventText()};
        long now = 0;
        for (int step = 0; step < 20; step++) {
            for (int rank = 0; rank < ranks.length; rank++) {
                long work = 100_000 + (rank == 1 ? 20_000 : rank == 2 ? 21_000 : 0) + (step * 7 + rank * 3) % 5 * 10;
                int id = 2 * step;
                ranks[rank]
                        .call("cudaLaunchKernel", now, 10, 1_000 + id)
                        .device("kernel", "gemm", now, work / 2, 1_000 + id, 7, "\"device\": 0")
                        .device("kernel", "norm", now + work / 2, work / 4, 1_000 + id, 7, "\"device\": 0")
                        .device("kernel", "gelu", now + work / 4 * 3, work / 4, 1_000 + id, 7, "\"device\": 0");
                reduce(ranks[rank], "0, 1, 2, 3, 4", step, now + 20, now + work, 131_100 - work);
            }
            now += 131_100;
        }

        List<String> said = said(ranks);

        assertThat(said)
                .anyMatch(text -> text.contains("slow_ranks: 2 ranks are slow: 1, 2. If all of them kept pace"))
                .anyMatch(text -> text.contains("slow_rank: Rank 1 is slow: each step takes it 20.0 µs (21 %) longer"))
                .anyMatch(text -> text.startsWith("NOTICE late_rank: Rank 2 came last in 20 of its 20 collectives")
                        && text.contains("Every kernel on it runs 21 % slower"));
    }

    @Test
    void waitingOfUpToATwentiethOfTheCommunicationIsNoProblem() throws IOException {
        // 2 x 7 us of 3 x 100 - 7 us are 4.78 %.
        assertThat(said(late(7_000, 7_000)).getFirst()).startsWith("INFO straggler: Ranks spend 4.8 % of");
    }

    @Test
    void ranksThatTakeTurnsBeingLateDoNotStandOut() throws IOException {
        EventText a = reduce(reduce(new EventText(), 2, 0, 0, 0, 100_000), 2, 1, 220_000, 220_000, 80_000);
        EventText b = reduce(reduce(new EventText(), 2, 0, 20_000, 20_000, 80_000), 2, 1, 200_000, 200_000, 100_000);
        assertThat(said(a, b))
                .contains("NOTICE straggler: Ranks spend 11 % of their communication time waiting for the last to "
                        + "arrive (40 µs in total). No single rank causes half of it. Rank 0 causes most, 50 %.");
    }

    @Test
    void ranksThatAreMissingOrDamagedAreNamed() throws IOException {
        Files.writeString(folder.resolve("rank3.json"), "{\"traceEvents\": [");
        List<String> said = said(late(0, 0));
        assertThat(said)
                .contains("NOTICE ranks_missing: 1 rank is incomplete: 3 (partial). Collectives lack members "
                        + "there: a still later rank goes unseen. Latencies may include waiting for it.");
    }

    @Test
    void collectivesThatLackMembersAreCounted() throws IOException {
        EventText[] ranks = late(0, 0);
        reduce(ranks[0], 3, 1, 200_000, 200_000, 10_000);
        assertThat(said(ranks)).contains("INFO collectives_incomplete: 1 of 2 collectives lack members.");
    }

    @Test
    void clocksThatDifferAreAProblemUnlessTheyAreCorrected() throws IOException {
        EventText a = new EventText();
        EventText b = new EventText();
        for (int i = 0; i < 5; i++) {
            reduce(a, 2, i, i * 100_000L, i * 100_000L + 1_000, 9_000);
            reduce(b, 2, i, 5_000_000 + i * 100_000L, 5_000_000 + i * 100_000L + 1_000, 9_000);
        }
        assertThat(said(a, b))
                .contains("PROBLEM clocks_differ: Rank clocks differ by up to 5 ms, by the ends of collectives and "
                        + "messages. Times are not corrected, so skews and waits mean little.")
                .anyMatch(line -> line.startsWith("NOTICE waits_unknown: Waiting is unknown in 5 collectives."));
        assertThat(said(CollectiveOptions.standard(), a, b))
                .anyMatch(line -> line.startsWith(
                        "NOTICE clocks_aligned: Rank clocks differ by up to 5 ms, by the ends of collectives and "
                                + "messages. All times are corrected, to within "))
                .noneMatch(line -> line.contains("_unknown"));
    }

    /** An all-reduce of which no group, number or size is known. */
    private static EventText bare(EventText into, int number, long ts) {
        return into.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", ts, 10_000, number, 20);
    }

    @Test
    void collectivesWithoutGroupsAndSizesAreSaidToBeMatchedByOrder() throws IOException {
        EventText a = bare(bare(new EventText(), 1, 0), 2, 100_000);
        EventText b = bare(bare(new EventText(), 1, 0), 2, 100_000);
        assertThat(said(a, b))
                .contains(
                        "NOTICE no_process_groups: 2 of 2 collectives carry no process group. They are matched "
                                + "by type and order alone. Pairs are wrong if a rank lacks one, or if ranks form several "
                                + "groups.",
                        "INFO no_sizes: Bandwidth is unknown, as no size or no known element type was recorded: "
                                + "ncclDevKernel_AllReduce_Sum_f32_RING_LL (2).");
    }

    @Test
    void collectivesWithoutGroupsLeadToWhereOthersWaitedLongest() throws IOException {
        EventText a = bare(bare(new EventText(), 1, 0), 2, 100_000);
        EventText b = bare(bare(new EventText(), 1, 2_000), 2, 107_000);
        Evidence.OfRank place = report(AS_RECORDED, a, b).sections().stream()
                .filter(Section.FindingsSection.class::isInstance)
                .flatMap(section -> ((Section.FindingsSection) section).findings().stream())
                .filter(finding -> finding.code().equals("no_process_groups"))
                .flatMap(finding -> finding.evidence().stream())
                .filter(Evidence.OfRank.class::isInstance)
                .map(Evidence.OfRank.class::cast)
                .findFirst()
                .orElseThrow();

        assertThat(place.rank()).isEqualTo(1);
        assertThat(place.place()).isNotNull();
        assertThat(place.place().length())
                .as("7 us of waiting and 10 us of transfer")
                .isEqualTo(17_000);
    }

    @Test
    void ranksThatRecordedMoreThanOthersAreNoted() throws IOException {
        EventText a = bare(bare(new EventText(), 1, 0), 2, 100_000);
        EventText b = bare(new EventText(), 1, 0);
        assertThat(said(a, b))
                .contains("NOTICE counts_differ: Ranks recorded different numbers of collectives without sequence "
                        + "numbers in: all_reduce (1 to 2). Matched by order, pairs may be wrong.");
    }

    @Test
    void ranksThatDisagreeAboutOneCollectiveAreNoted() throws IOException {
        EventText a = reduce(new EventText(), 2, 0, 0, 0, 10_000);
        EventText b = new EventText()
                .raw(reduce(new EventText(), 2, 0, 0, 0, 10_000)
                        .events()
                        .getLast()
                        .replace("\"Float\"", "\"Double\""));
        assertThat(said(a, b))
                .anyMatch(line -> line.startsWith("NOTICE collectives_disagree: In 1 place ranks disagree"));
    }

    @Test
    void bandwidthsWithinNodesAndBetweenThemStandSideBySide() throws IOException {
        // For two ranks the bus carries what each holds: 12,000 bytes in 10 us are 1.2 GB/s, in 30 us 0.4 GB/s.
        EventText[] ranks = {new EventText(), new EventText(), new EventText()};
        for (int member = 0; member < 2; member++) {
            reduce(ranks[member], "0, 1", 0, 0, 0, 10_000);
            reduce(ranks[2 * member], "0, 2", 5, 100_000, 100_000, 30_000);
        }
        assertThat(said(new CollectiveOptions(2, false, CollectiveOptions.STATISTICS, Alignment.NONE), ranks))
                .contains("INFO node_spans: Median bus bandwidth is 1.2 GB/s within nodes and 0.4 GB/s between them.");
    }

    @ParameterizedTest
    @CsvSource({"24, 24", "25, 1"})
    void thePictureOfManyGroupsTellsOnlyKindsApart(int groups, int series) throws IOException {
        EventText[] ranks = {new EventText(), new EventText()};
        for (EventText rank : ranks) {
            for (int group = 0; group < groups; group++) {
                reduce(rank, "dp" + group, "0, 1", group, -1, group * 100_000L, 50_000);
            }
        }

        assertThat(report(AS_RECORDED, ranks).sections())
                .filteredOn(Section.ChartSection.class::isInstance)
                .extracting(section -> ((Section.ChartSection) section).chart())
                .filteredOn(chart -> chart.title().equals("Bandwidth by size"))
                .singleElement(InstanceOfAssertFactories.type(Chart.Scatter.class))
                .satisfies(chart -> assertThat(chart.series()).hasSize(series));
    }
}
