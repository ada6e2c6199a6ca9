// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.GoalOptions.CostFiles;
import dev.lockstep.goal.GoalOptions.NodeLink;
import dev.lockstep.goal.GoalOptions.PyTorch;
import dev.lockstep.goal.GoalOptions.Reading;
import dev.lockstep.goal.GoalOptions.Streams;
import dev.lockstep.goal.GoalOptions.Tags;
import dev.lockstep.goal.model.Machine;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.NetworkShares;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.ScheduleCounts.OfRank;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.model.ScheduleProof;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.schedule.CostTable;
import dev.lockstep.goal.stored.TwoRanks;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.RankSelection;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From traces to a schedule, and from the schedule to times, through the front class. */
class GoalTest {
    private static final long ABSENT = LongColumn.ABSENT;
    private static final Network NETWORK = new Network(100, 10, 1, 0, 2, 1000);

    @TempDir
    Path folder;

    /** Two ranks on two nodes reduce 400 bytes each over one channel; reducing a byte takes 1 ns, copying it 2. */
    private GoalOptions options(Tags tags) throws IOException {
        Path costs = Files.writeString(folder.resolve("costs.json"), table(1, 2));
        PyTorch known = new PyTorch(RankSelection.any(), 1, 1, NcclProtocol.SIMPLE, NcclAlgorithm.RING, null);
        return GoalOptions.DEFAULT
                .withCosts(new CostFiles(costs, costs, null, null))
                .withTags(tags)
                .withReading(new Reading(2, false, bytes -> {}, null, known));
    }

    private static String table(int reduce, int copy) {
        return "{\"" + CostTable.REDUCE + "\": " + line(reduce) + ", \"" + CostTable.COPY + "\": " + line(copy) + "}";
    }

    private static String line(int perByte) {
        return "{\"100\": [" + 100 * perByte + "], \"200\": [" + 200 * perByte + "]}";
    }

    private GoalInput traces() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            Files.writeString(folder.resolve("rank" + rank + ".json"), trace(rank));
        }
        return new GoalInput.PyTorch("traces", List.of(folder.resolve("rank0.json"), folder.resolve("rank1.json")));
    }

    /** Rank 0 reduces from 1 to 51 us and from 61 us on; rank 1 begins the second time at 71. */
    private static String trace(int rank) {
        return "{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": 2}, \"traceEvents\": [" + allReduce(1)
                + ", " + allReduce(rank == 0 ? 61 : 71) + "]}";
    }

    private static String allReduce(long ts) {
        return allReduce(ts, 50);
    }

    private static String allReduce(long ts, long dur) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllReduce_Sum_f32_RING_LL\", \"ts\": "
                + ts
                + ", \"dur\": " + dur
                + ", \"pid\": 0, \"tid\": 20, \"args\": {\"device\": 0, \"stream\": 20, \"grid\": [1, 1, 1],"
                + " \"block\": [512, 1, 1], \"Collective name\": \"allreduce\", \"In msg nelems\": 100,"
                + " \"Out msg nelems\": 100, \"Group size\": 2, \"dtype\": \"Float\", \"Process Group Name\": \"0\","
                + " \"Process Group Ranks\": \"[0, 1]\"}}";
    }

    /** Rank 1 begins 35 ms later than rank 0, with what it had recorded before; both end together. */
    private GoalInput apart(long clockUs) throws IOException {
        String early = "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"ts\": %s, \"dur\": 10, \"pid\": 0,"
                + " \"tid\": 7, \"args\": {\"device\": 0, \"stream\": 7}}, ";
        for (int rank = 0; rank < 2; rank++) {
            StringBuilder events = new StringBuilder(early.formatted((rank == 0 ? 0 : 34_000) + rank * clockUs));
            for (int i = 0; i < 7; i++) {
                long end = 36_000 + 1000L * i;
                long start = i > 0 ? end - 50 : rank == 0 ? 1000 : 36_000;
                events.append(i > 0 ? ", " : "").append(allReduce(start + rank * clockUs, end + 50 - start));
            }
            Files.writeString(
                    folder.resolve("rank" + rank + ".json"),
                    "{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": 2}, \"traceEvents\": [" + events
                            + "]}");
        }
        return new GoalInput.PyTorch("traces", List.of(folder.resolve("rank0.json"), folder.resolve("rank1.json")));
    }

    private GoalSchedule written(GoalInput input, Streams streams) throws IOException {
        Path out = Files.createTempDirectory(folder, "out");
        Goal.generate(input, options(Tags.PLAIN).withStreams(streams)).writeTo(out, GoalFiles.DEFAULT);
        return Goal.read(out.resolve(GoalFiles.TEXT));
    }

    @Test
    void ranksBeginAsFarApartAsTheyWereRecorded() throws IOException {
        GoalInput input = apart(0);

        GoalSchedule asRecorded = written(input, Streams.RECORDED);
        GoalSchedule together = written(input, new Streams(false, false, false, true));
        GoalSchedule window = written(input, new Streams(false, true, false, false));

        assertThat(asRecorded.recorded())
                .containsExactly(new RecordedSpan(0, 41_050_000), new RecordedSpan(35_000_000, 41_050_000));
        assertThat(asRecorded.counts().ranks().get(1).calcNs()
                        - together.counts().ranks().get(1).calcNs())
                .isEqualTo(35_000_000);
        assertThat(asRecorded.counts().ranks().get(0).calcNs())
                .isEqualTo(together.counts().ranks().get(0).calcNs());
        // Rank 0 waits for rank 1, as it did; the collectives themselves take less on this network.
        assertThat(asRecorded.simulate(NETWORK).makespanNs()).isBetween(40_300_000L, 41_100_000L);
        assertThat(together.simulate(NETWORK).makespanNs()).isLessThan(7_000_000L);
        assertThat(together.recorded())
                .containsExactly(new RecordedSpan(0, 41_050_000), new RecordedSpan(0, 6_050_000));
        assertThat(window.recorded())
                .containsExactly(new RecordedSpan(0, 42_050_000), new RecordedSpan(34_000_000, 42_050_000));
        assertThat(window.simulate(NETWORK).makespanNs()).isBetween(41_300_000L, 42_100_000L);
    }

    @Test
    void clocksThatDifferAreCorrectedBeforeRanksBegin() throws IOException {
        GoalInput input = apart(7_000_000);

        GeneratedSchedule made = Goal.generate(input, options(Tags.PLAIN));

        assertThat(made.recorded())
                .containsExactly(new RecordedSpan(0, 41_050_000), new RecordedSpan(35_000_000, 41_050_000));
        assertThat(made.notes())
                .filteredOn(note -> note.code().equals("clocks_corrected"))
                .singleElement()
                .satisfies(note -> assertThat(note.first()).contains("up to 7 s apart", "to within"));
    }

    private static List<Finding> findings(Report report) {
        return report.sections().stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(section -> ((FindingsSection) section).findings().stream())
                .toList();
    }

    @Test
    void whatIsRecordedIsShownBesideWhatIsSimulated() throws IOException {
        GoalSchedule schedule = written(apart(0), Streams.RECORDED);

        assertThat(findings(schedule.report(NETWORK)))
                .anySatisfy(finding -> assertThat(finding.text())
                        .contains("the last rank ended after 41.1 ms", "begin up to 35 ms apart"))
                .noneSatisfy(finding -> assertThat(finding.text()).contains("calculates longest"));
        GoalSchedule silent = schedule("calc 5", "calc 7");
        assertThat(silent.recorded()).isEmpty();
        assertThat(findings(silent.report(NETWORK)))
                .anySatisfy(finding -> assertThat(finding.text()).contains("There are no messages"))
                .noneSatisfy(finding -> assertThat(finding.text()).contains("faster network"));
    }

    private GoalSchedule schedule(String first, String second) throws IOException {
        return Goal.read(TwoRanks.write(folder, first, second));
    }

    /** Both ranks are on one node; what goes between them takes the time that a bandwidth says, and nothing else does. */
    @Test
    void transfersWithinNodesTakeWhatTheirBandwidthSays() throws IOException {
        GoalSchedule usual = onOneNode(300_000);
        GoalSchedule slow = onOneNode(150);

        assertThat(usual.simulate(NETWORK, new Machine(1, 1, 150)).finishNs())
                .isEqualTo(slow.simulate(NETWORK).finishNs());
        assertThat(slow.simulate(NETWORK, new Machine(1, 2, 0)).makespanNs())
                .isLessThan(slow.simulate(NETWORK).makespanNs());
        assertThat(slow.simulate(NETWORK, 1000).makespanNs())
                .as("faster calculations leave transfers alone")
                .isGreaterThan(2 * 1000);
        assertThat(slow.simulate(NETWORK, Machine.AS_SCHEDULED).finishNs())
                .isEqualTo(slow.simulate(NETWORK).finishNs());
    }

    @Test
    void aMakespanIsSplitByNetworks() throws IOException {
        GoalSchedule slow = onOneNode(1);
        SimulatedTimes times = slow.simulate(NETWORK);

        NetworkShares shares = slow.shares(NETWORK, Machine.AS_SCHEDULED, SimulationRules.OWN, times)
                .orElseThrow();

        assertThat(shares.transfers()).isGreaterThan(0.9);
        assertThat(shares.messages()).isBetween(0.0, 0.05);
        assertThat(shares.makespanNs()).isEqualTo(times.makespanNs());
        assertThat(schedule("calc 5", "calc 7").shares(NETWORK, Machine.AS_SCHEDULED, SimulationRules.OWN, times))
                .isEmpty();
    }

    @Test
    void nothingIsScaledWithoutTheTableOfTransfers() throws IOException {
        GoalSchedule schedule = schedule("calc 5", "calc 8");

        assertThatThrownBy(() -> schedule.simulate(NETWORK, new Machine(1, 2, 0)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no transfers.tsv beside it");
        Files.writeString(folder.resolve("transfers.tsv"), "rank\toperation\tbytes\n0\t0\t600000\n");
        assertThat(schedule.simulate(NETWORK, new Machine(4, 1, 300_000)).finishNs())
                .containsExactly(2000, 2);
        for (String line : List.of("2\t0\t1", "0\t1\t1", "0\t0", "0\t0\t-1", "0\t0\t1\t1", "")) {
            Files.writeString(folder.resolve("transfers.tsv"), "rank\toperation\tbytes\n" + line + "\n");
            assertThatThrownBy(() -> schedule.simulate(NETWORK, new Machine(1, 2, 0)))
                    .as(line)
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageContaining("line 2");
        }
    }

    private GoalSchedule onOneNode(long bytesPerMicrosecond) throws IOException {
        Path out = Files.createTempDirectory(folder, "out");
        GoalOptions usual = options(Tags.PLAIN);
        Goal.generate(
                        traces(),
                        new GoalOptions(
                                usual.costs(),
                                usual.streams(),
                                usual.tags(),
                                new NodeLink(bytesPerMicrosecond, 0),
                                List.of(),
                                GoalOptions.BY_INPUT,
                                new Reading(
                                        1,
                                        false,
                                        bytes -> {},
                                        null,
                                        new PyTorch(RankSelection.any(), 2, -1, null, null, null))))
                .writeTo(out, GoalFiles.DEFAULT);
        return Goal.read(out.resolve(GoalFiles.TEXT));
    }

    @Test
    void tracesBecomeAScheduleWithTablesBesideIt() throws IOException {
        Path out = folder.resolve("out");

        GeneratedSchedule made = Goal.generate(traces(), options(Tags.PLAIN));
        made.writeTo(out, GoalFiles.DEFAULT);

        assertThat(made.isWhole()).isTrue();
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder(
                            "output.goal",
                            "ranks.tsv",
                            "collectives.tsv",
                            "recorded.tsv",
                            "assumptions.tsv",
                            "transfers.tsv");
        }
        assertThat(Files.readString(out.resolve("collectives.tsv"))).isEqualTo("""
            collective\tranks\tbytes\talgorithm\tprotocol\tchannels\tcount
            AllReduce\t2\t400\tring\tsimple\t1\t2
            """);
        assertThat(Files.readString(out.resolve("ranks.tsv"))).isEqualTo("""
            rank\tnode\tpid\tdevice
            0\tnode0\t0\t0
            1\tnode1\t1\t0
            """);
        // 400 bytes are one chunk, which rank 0 reduces: 400 ns, and 800 to copy it. Then it computes for 10 us.
        assertThat(Files.readString(out.resolve(GoalFiles.TEXT))).isEqualTo("""
            num_ranks 2
            rank 0 {
            l0: recv 400b from 1 tag 0 cpu 0 nic 0
            l1: calc 1200 cpu 0
            l1 requires l0
            l2: send 400b to 1 tag 0 cpu 0 nic 0
            l2 requires l1
            l3: calc 10000 cpu 0
            l3 requires l2
            l4: recv 400b from 1 tag 1 cpu 0 nic 0
            l4 requires l3
            l5: calc 1200 cpu 0
            l5 requires l4
            l6: send 400b to 1 tag 1 cpu 0 nic 0
            l6 requires l5
            }
            rank 1 {
            l0: send 400b to 0 tag 0 cpu 0 nic 0
            l1: recv 400b from 0 tag 0 cpu 0 nic 0
            l2: calc 20000 cpu 0
            l2 requires l0
            l2 requires l1
            l3: send 400b to 0 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 400b from 0 tag 1 cpu 0 nic 0
            l4 requires l2
            }
            """);
    }

    @Test
    void labelsStandBehindTheNumbersOfMessages() throws IOException {
        Path out = folder.resolve("out");

        Goal.generate(traces(), options(new Tags("4 + sequence", 3, 2))).writeTo(out, GoalFiles.DEFAULT);

        assertThat(Files.readString(out.resolve(GoalFiles.TEXT)))
                .contains("l2: send 400b to 1 tag 00004 cpu 0 nic 0", "l6: send 400b to 1 tag 00005 cpu 0 nic 0");
        assertThat(Files.readString(out.resolve("tags.tsv")))
                .contains("0\t1\t5\t5\t100\t1\t5\tAllReduce\t0\t1\tother\n");
    }

    @Test
    void formsAreWhatWasAskedFor() throws IOException {
        GeneratedSchedule made = Goal.generate(traces(), options(Tags.PLAIN));
        Path parts = folder.resolve("parts");
        Path binary = folder.resolve("binary");

        made.writeTo(parts, new GoalFiles(GoalFiles.Form.TEXT_BY_RANK, true, true, 1024));
        made.writeTo(binary, new GoalFiles(GoalFiles.Form.BINARY, false, false, 1024));

        assertThat(parts.resolve(GoalFiles.TEXT)).doesNotExist();
        assertThat(parts.resolve("rank_1.goal")).exists();
        assertThat(Files.readString(parts.resolve("Events_Dependency.goal")))
                .contains("AllReduce 400 bytes comm 0 gpu 0 stream 20 seq 1 end");
        assertThat(Goal.read(binary.resolve(GoalFiles.BINARY)).counts().messages())
                .isEqualTo(4);
    }

    @Test
    void whatIsLeftOutIsSaidAndRefused() throws IOException {
        Path alone = Files.writeString(folder.resolve("rank0.json"), trace(0));
        Path half = Files.writeString(folder.resolve("rank1.json"), trace(1).replace(", " + allReduce(71), ""));

        GeneratedSchedule made =
                Goal.generate(new GoalInput.PyTorch("traces", List.of(alone, half)), options(Tags.PLAIN));

        assertThat(made.isWhole()).isFalse();
        assertThat(made.notes())
                .filteredOn(ScheduleNote::loss)
                .extracting(ScheduleNote::code)
                .containsExactly("members_missing");
        assertThatThrownBy(made::demandWhole)
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("1 of 2 ranks have it");
    }

    @Test
    void tracesWithoutCollectivesBecomeNoSchedule() throws IOException {
        Path idle = Files.writeString(folder.resolve("rank0.json"), "{\"traceEvents\": []}");

        assertThatThrownBy(() -> Goal.generate(new GoalInput.PyTorch("traces", List.of(idle)), GoalOptions.DEFAULT))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no rank has a communication kernel");
    }

    @Test
    void whatLeavesNothingForAScheduleIsSaid() throws IOException {
        String alone = trace(0).replace("[0, 1]", "[0]")
                .replace("\"Group size\": 2", "\"Group size\": 1")
                .replace("\"world_size\": 2", "\"world_size\": 1");
        Path file = Files.writeString(folder.resolve("rank0.json"), alone);

        assertThatThrownBy(() -> Goal.generate(new GoalInput.PyTorch("traces", List.of(file)), GoalOptions.DEFAULT))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(
                        "traces: no collective can be made a schedule: nothing was recorded of any that has"
                                + " several ranks");
    }

    @Test
    void namesOfGroupsEndNoCells() throws IOException {
        GoalInput input = traces();
        for (Path file : input.files()) {
            String named = Files.readString(file).replace("Name\": \"0\"", "Name\": \"a\\tb\\nc\\rd\"");
            Files.writeString(file, named);
        }

        Path out = folder.resolve("named");
        Goal.generate(input, options(Tags.PLAIN)).writeTo(out, new GoalFiles(GoalFiles.Form.TEXT, false, true, 1024));

        assertThat(Files.readAllLines(out.resolve("tags.tsv")))
                .hasSizeGreaterThan(1)
                .allSatisfy(line -> assertThat(line.split("\t", -1)).hasSize(11))
                .anySatisfy(line -> assertThat(line).contains("a b c d"));
    }

    @Test
    void noFileThatWasReadIsOverwritten() throws IOException {
        Path connections = Files.writeString(folder.resolve("ranks.tsv"), "ring 0 1\n");
        GeneratedSchedule made = Goal.generate(
                traces(),
                GoalOptions.DEFAULT.withReading(new Reading(
                        1,
                        false,
                        bytes -> {},
                        null,
                        new PyTorch(RankSelection.any(), -1, -1, null, null, connections))));

        assertThatThrownBy(() -> made.writeTo(folder, GoalFiles.DEFAULT))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("ranks.tsv is an input");
        assertThat(connections).hasContent("ring 0 1");
    }

    @Test
    void costsComeInPairs() {
        assertThatThrownBy(() -> new CostFiles(Path.of("simple.json"), null, null, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Tags("1 +", -1, -1)).isInstanceOf(UserException.class);
    }

    @Test
    void exportsAreKnownByTheirNames() throws IOException {
        Path exports = Files.createDirectory(folder.resolve("exports"));
        assertThatThrownBy(() -> GoalInput.nsys(exports)).hasMessageContaining("no files ending in .sqlite");
        assertThatThrownBy(() -> GoalInput.nsys(folder.resolve("nothing"))).isInstanceOf(TraceFormatException.class);
        for (String name : List.of("b.json", "b.pftrace", "b.json.gz")) {
            Path trace = Files.createFile(exports.resolve(name));
            assertThat(GoalInput.isPyTorch(exports)).as(name).isTrue();
            Files.delete(trace);
        }
        assertThat(GoalInput.isPyTorch(exports)).isFalse();
        Path b = Files.createFile(exports.resolve("b.sqlite"));
        Path a = Files.createFile(Files.createDirectory(exports.resolve("a")).resolve("x.sqlite"));

        assertThat(GoalInput.isPyTorch(exports)).isFalse();
        assertThat(GoalInput.nsys(exports).files()).containsExactly(a, b);
        assertThat(GoalInput.nsys(b).files()).containsExactly(b);
    }

    @Test
    void countsAreThoseOfTheLines() throws IOException {
        GoalSchedule schedule = schedule(
                "a: calc 50\n"
                        + "b: calc 0 cpu 2\n"
                        + "c: send 5b to 1\n"
                        + "d: send 7b to 1 tag 1 nic 3\n"
                        + "b requires a\n"
                        + "c irequires b",
                "recv 5b from 0\nrecv 7b from 0 tag 1");

        assertThat(schedule.counts().ranks())
                .containsExactly(
                        new OfRank(0, 2, 1, 50, 2, 0, 12, 0, 1, 1, 3, 4),
                        new OfRank(1, 0, 0, 0, 0, 2, 0, 12, 0, 0, 1, 1));
        assertThat(schedule.counts().pairs()).containsExactly(new OfPair(0, 1, 2, 12));
        assertThat(schedule.counts().operations()).isEqualTo(6);
        assertThat(schedule.counts().dependencies()).isEqualTo(2);
    }

    @Test
    void proofsNameLinesAndDoNotChangeTheSchedule() throws IOException {
        GoalSchedule schedule = schedule("a: send 5b to 1", "b: recv 6b from 0");

        ScheduleProof proof = schedule.verify();

        assertThat(proof.correct()).isFalse();
        assertThat(proof.flaws())
                .containsExactly(
                        "message from rank 0 to rank 1, tag 0: 5 bytes are sent (rank 0 line 3 (a)), 6 bytes are"
                                + " received (rank 1 line 6 (b))");
        assertThat(schedule.verify().flawCount()).isEqualTo(1);
        assertThat(schedule("send 5b to 1", "recv 5b from 0").verify().correct())
                .isTrue();
    }

    /** Sent from 50 to 60, there after 100 + 4 * 2, then 1 for the card and 10 for the processor; and at half of it. */
    @Test
    void simulationsSayWhenRanksAreDone() throws IOException {
        GoalSchedule schedule = schedule("a: calc 50\nb: send 5b to 1\nb requires a", "recv 5b from 0");

        assertThat(schedule.simulate(NETWORK).finishNs()).containsExactly(60, 179);
        assertThat(schedule.simulate(NETWORK, 2).finishNs()).containsExactly(35, 154);
    }

    @Test
    void whatWaitsForEverIsNamed() throws IOException {
        GoalSchedule schedule = schedule("a: recv 8b from 1 tag 3", "");

        SimulatedTimes times = schedule.simulate(NETWORK);

        assertThat(times.stuck()).isEqualTo(1);
        assertThat(schedule.waiting(times)).containsExactly("rank 0 line 3 (a): recv 8b from 1 tag 3");
    }

    @Test
    void linesThatNoScheduleMayHaveAreNotRun() throws IOException {
        GoalSchedule schedule = schedule("send 5b to 7\nsend 5b to 8", "");

        assertThatThrownBy(() -> schedule.simulate(NETWORK))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("rank 0 line 3: names rank 7, but there are only 2 ranks, and 1 more");
        assertThatThrownBy(() -> schedule.report(NETWORK)).isInstanceOf(TraceFormatException.class);
        assertThat(schedule.verify().flawCount()).isEqualTo(2);
    }

    /** Half of what 64 bits can count, twice. */
    @Test
    void timesAndSumsBeyondWhatCanBeCountedAreSaid() throws IOException {
        long half = 1L << 62;
        GoalSchedule calculations = schedule("a: calc " + half + "\nb: calc " + half + "\nb requires a", "");
        GoalSchedule messages = schedule(
                "send %db to 1\nsend %db to 1 tag 1".formatted(half, half),
                "recv %db from 0\nrecv %db from 0 tag 1".formatted(half, half));

        assertBeyond(calculations::counts);
        assertBeyond(() -> calculations.simulate(NETWORK));
        assertBeyond(() -> calculations.report(NETWORK));
        assertBeyond(messages::counts);
        assertBeyond(() -> messages.simulate(NETWORK));
        assertBeyond(() -> messages.report(NETWORK));
        assertThat(schedule("calc " + half, "").simulate(NETWORK).makespanNs()).isEqualTo(half);
        assertThat(schedule("calc " + half, "").counts().ranks().getFirst().calcNs())
                .isEqualTo(half);
    }

    @Test
    void networksAndMachinesThatTakeForEverAreSaid() throws IOException {
        GoalSchedule schedule = schedule("send 5b to 1\ncalc 7 cpu 1", "recv 5b from 0");
        long most = Long.MAX_VALUE;

        assertBeyond(() -> schedule.simulate(NETWORK.faster(1e-300)));
        assertBeyond(() -> schedule.simulate(NETWORK, 1e-300));
        assertBeyond(() -> schedule.simulate(new Network(most, 0, 0, 0, 0, 0)));
        assertBeyond(() -> schedule.simulate(new Network(0, most, 0, 0, 0, 0)));
        assertBeyond(() -> schedule.simulate(new Network(0, 0, most, 0, 0, 0)));
        assertBeyond(() -> schedule.simulate(new Network(0, 0, 0, most, 0, 0)));
        assertBeyond(() -> schedule.simulate(new Network(0, 0, 0, 0, 1e300, 0)));
    }

    @Test
    void transfersThatTakeForEverAreSaid() throws IOException {
        GoalSchedule schedule = schedule("", "calc 7\ncalc 7");
        Files.writeString(folder.resolve("transfers.tsv"), "rank\toperation\tbytes\n1\t1\t999999999999999999\n");

        assertBeyond(() -> schedule.simulate(NETWORK, new Machine(1, 1, 1)));
        assertThat(schedule.simulate(NETWORK, new Machine(1, 1, 1000)).makespanNs())
                .isEqualTo(999_999_999_999_999_000L + 7);
    }

    private void assertBeyond(ThrowingCallable asked) {
        assertThatThrownBy(asked)
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("more")
                .hasMessageContaining("than 64 bits can count");
    }

    @Test
    void reportsHoldWhatTheSimulationSaw() throws IOException {
        GoalSchedule schedule = schedule("a: calc 50\nb: send 5b to 1\nb requires a", "recv 5b from 0");

        Table ranks = schedule.report(NETWORK).sections().stream()
                .filter(TableSection.class::isInstance)
                .map(section -> ((TableSection) section).table())
                .filter(table -> table.name().equals("schedule_ranks"))
                .findFirst()
                .orElseThrow();

        // Columns: rank, operations, messages sent, bytes sent and received, then calculating, messages, idle, finish,
        // and what nobody recorded.
        assertThat(row(ranks, 0)).containsExactly(0L, 2L, 1L, 5L, 0L, 50L, 10L, 119L, 60L, ABSENT, ABSENT);
        assertThat(row(ranks, 1)).containsExactly(1L, 1L, 0L, 0L, 5L, 0L, 11L, 168L, 179L, ABSENT, ABSENT);
    }

    private static List<Long> row(Table table, int row) {
        return IntStream.range(0, table.schema().columns().size())
                .mapToObj(column -> table.longs(column).get(row))
                .toList();
    }
}
