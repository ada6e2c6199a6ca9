// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static dev.lockstep.merge.MergedFiles.merge;
import static dev.lockstep.merge.MergedFiles.rank;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergedFiles.Merged;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.Mutations;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.timeline.ChromeJsonWriter;
import dev.lockstep.timeline.RankIds;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeTest {
    @TempDir
    Path folder;

    private static final String RANK = """
            {"ph": "M", "name": "process_name", "pid": 77, "tid": 0, "args": {"name": "python"}},
            {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "python"}},
            {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}},
            {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "unused"}},
            {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}},
            {"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 77, "tid": 5, "ts": 10, "dur": 2, "args": {"External id": 4, "correlation": 9, "x": "\\u00e4"}},
            {"ph": "s", "id": 9, "pid": 77, "tid": 5, "ts": 10, "cat": "ac2g", "name": "ac2g"},
            {"ph": "X", "cat": "kernel", "name": "k\\"1\\"", "pid": 0, "tid": 7, "ts": 20.001, "dur": 30.5, "args": {"correlation": 9, "stream": 7, "device": 0}},
            {"ph": "f", "id": 9, "pid": 0, "tid": 7, "ts": 20.001, "cat": "ac2g", "name": "ac2g", "bp": "e"},
            {"ph": "X", "cat": "kernel", "name": "late", "pid": 0, "tid": 7, "ts": 40, "dur": 20, "args": {"stream": 7}},
            {"ph": "X", "cat": "Trace", "name": "whole", "pid": "Spans", "tid": "Profiler", "ts": 1, "dur": 99},
            {"ph": "C", "name": "bytes", "pid": 77, "ts": 12, "args": {"v": 3}},
            {"ph": "b", "name": "wait", "cat": "async", "id": "0xa", "pid": 77, "tid": 5, "ts": 13},
            {"ph": "e", "name": "wait", "cat": "async", "id": "0xa", "pid": 77, "tid": 5, "ts": 15},
            {"ph": "b", "name": "lost", "cat": "async", "id": "0xb", "pid": 77, "tid": 5, "ts": 13},
            {"ph": "i", "name": "mark", "pid": 77, "tid": 5, "ts": 14, "s": "g"},
            {"ph": "M", "name": "num_cpus", "pid": 77, "tid": 0, "args": {"n": 4}},
            """;

    private static Merged two() throws IOException {
        return merge(List.of(rank(0, 2, RANK), rank(1, 2, RANK)));
    }

    private static String only(List<String> lines) {
        assertThat(lines).hasSize(1);
        return lines.getFirst();
    }

    @Test
    void processesAreUniqueAndSayRankNameAndNumber() throws IOException {
        assertThat(two().lines("\"process_name\"").stream()
                        .map(line -> line.replaceFirst(".*\"pid\":(\\d+).*\\{\"name\":\"(.*)\"}},?", "$1 $2")))
                .containsExactly(
                        "1 rank 0 GPU 0: python (pid 0)",
                        "2 rank 0: python (pid 77)",
                        "3 rank 0: Spans",
                        "10001 rank 1 GPU 0: python (pid 0)",
                        "10002 rank 1: python (pid 77)",
                        "10003 rank 1: Spans");
    }

    @Test
    void whatOverlapsLiesOnARowOfItsOwn() throws IOException {
        Merged merged = two();
        assertThat(merged.lines("\"thread_name\"", "\"pid\":1,").stream()
                        .map(line -> line.replaceFirst(".*\"tid\":(\\d+).*\\{\"name\":\"(.*)\"}},?", "$1 $2")))
                .containsExactly("7 stream 7", "1000000000 stream 7 (overlap 1)");
        assertThat(only(merged.lines("\"late\"", "\"pid\":1,"))).contains("\"tid\":1000000000,\"ts\":40,\"dur\":20");
        assertThat(merged.summary().ranks().getFirst().overlapping()).isEqualTo(1);
    }

    @Test
    void numbersAreUniqueAmongRanksAndTimesExact() throws IOException {
        Merged merged = two();
        assertThat(only(merged.lines("\"pid\":10001,", "k\\\"1\\\"")))
                .isEqualTo(
                        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\\\"1\\\"\",\"pid\":10001,\"tid\":7,\"ts\":20.001,\"dur\":30.5,"
                                + "\"args\":{\"correlation\":10000000009,\"stream\":7,\"device\":0}},");
        assertThat(only(merged.lines("\"pid\":10002,", "\"launch\"")))
                .contains("\"args\":{\"External id\":10000000004,\"correlation\":10000000009,\"x\":\"\\u00e4\"}");
        assertThat(only(merged.lines("\"pid\":2,", "\"launch\"")))
                .contains("\"args\":{\"External id\":4,\"correlation\":9,\"x\":\"\\u00e4\"}");
    }

    @Test
    void arrowsHaveBothEndsAtTheBeginningsOfTheirSlices() throws IOException {
        assertThat(two().lines("\"cat\":\"ac2g\""))
                .containsExactly(
                        "{\"ph\":\"s\",\"id\":9,\"pid\":2,\"tid\":5,\"ts\":10,\"cat\":\"ac2g\",\"name\":\"ac2g\"},",
                        "{\"ph\":\"f\",\"id\":9,\"pid\":1,\"tid\":7,\"ts\":20.001,\"cat\":\"ac2g\",\"name\":\"ac2g\",\"bp\":\"e\"},",
                        "{\"ph\":\"s\",\"id\":10000000009,\"pid\":10002,\"tid\":5,\"ts\":10,\"cat\":\"ac2g\",\"name\":\"ac2g\"},",
                        "{\"ph\":\"f\",\"id\":10000000009,\"pid\":10001,\"tid\":7,\"ts\":20.001,\"cat\":\"ac2g\",\"name\":\"ac2g\",\"bp\":\"e\"},");
    }

    @Test
    void marksStayAndConcernTheirProcessAlone() throws IOException {
        Merged merged = two();
        assertThat(only(merged.lines("\"ph\":\"C\"", "\"pid\":2,"))).contains("\"args\":{\"v\":3}");
        assertThat(only(merged.lines("\"ph\":\"b\"", "\"pid\":10002,"))).contains("\"id2\":{\"local\":\"0xa\"}");
        assertThat(only(merged.lines("\"ph\":\"e\"", "\"pid\":10002,"))).contains("\"id2\":{\"local\":\"0xa\"}");
        assertThat(only(merged.lines("\"lost\"", "\"pid\":2,"))).contains("\"ph\":\"i\"", "\"unpaired\":\"begin\"");
        assertThat(only(merged.lines("\"mark\"", "\"pid\":2,"))).contains("\"ph\":\"i\"", "\"s\":\"p\"");
        assertThat(only(merged.lines("num_cpus", "\"pid\":10002,"))).contains("\"args\":{\"n\":4}");
    }

    @Test
    void whatIsLeftOutIsCounted() throws IOException {
        assertThat(two().summary().leftOut()).isEqualTo(java.util.Map.of(Reason.METADATA_OF_UNUSED, 2L));
    }

    @Test
    void theFileSaysHowItWasMade() throws IOException {
        String text = two().text();
        assertThat(text).contains("\"alignment\":{\"method\":\"none\"");
        assertThat(text).contains("\"own\":\"r0\"").contains("\"own\":\"r1\"");
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            while (parser.nextToken() != null) {
                // it is JSON
            }
        }
    }

    @Test
    void namesBeginWithTheRankWhenAsked() throws IOException {
        Merged merged = merge(List.of(rank(3, 8, RANK)), new MergeOptions(MergeFilter.none(), true));
        assertThat(merged.lines("\"name\":\"[R3] k\\\"1\\\"\"")).hasSize(1);
    }

    @Test
    void timesSince1970AreCountedFromARoundMoment() throws IOException {
        String events =
                "{\"ph\": \"X\", \"cat\": \"a\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 1700000000000000.123, \"dur\": 1}";
        Merged merged = merge(List.of(rank(0, 1, events)));
        long base = Long.parseLong(merged.text().replaceFirst("(?s).*\"baseTimeNanoseconds\":(\\d+).*", "$1"));
        String ts = only(merged.lines("\"n\"")).replaceFirst(".*\"ts\":([\\d.]+).*", "$1");
        assertThat(base % 100_000_000_000_000L).isZero();
        assertThat(new java.math.BigDecimal(ts).movePointRight(3).longValueExact() + base)
                .isEqualTo(1_700_000_000_000_000_123L);
    }

    @Test
    void ranksWithDifferentOriginsShareOneClock() throws IOException {
        String event =
                "{\"ph\": \"X\", \"cat\": \"a\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 5, \"dur\": 1}";
        String later = rank(1, 2, event).replaceFirst("\\{", "{\"baseTimeNanoseconds\": 1700000000000007000,");
        String sooner = rank(0, 2, event).replaceFirst("\\{", "{\"baseTimeNanoseconds\": 1700000000000000000,");
        List<String> times = merge(List.of(sooner, later)).lines("\"n\"").stream()
                .map(line -> line.replaceFirst(".*\"ts\":([\\d.]+).*", "$1"))
                .toList();
        assertThat(Long.parseLong(times.get(1)) - Long.parseLong(times.get(0))).isEqualTo(7);
    }

    private static String at(int rank, String ts) {
        return rank(
                rank,
                4,
                "{\"ph\": \"X\", \"cat\": \"a\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": " + ts
                        + ", \"dur\": 1}");
    }

    private static List<String> times(Merged merged) {
        return merged.lines("\"n\"").stream()
                .map(line -> line.replaceFirst(".*\"ts\":([-\\d.]+).*", "$1"))
                .toList();
    }

    @Test
    void ranksWhoseClocksCountFromAnotherMomentAreMovedTogether() throws IOException {
        Merged merged = merge(
                List.of(at(0, "1700000000000000.5"), at(1, "4000.25"), at(2, "1700000000000003.5"), at(3, "4005.25")));
        List<String> times = times(merged);
        String start = times.getFirst().substring(0, times.getFirst().length() - "0.5".length());
        assertThat(times).containsExactly(start + "0.5", start + "0.5", start + "3.5", start + "5.5");
        assertThat(merged.text()).contains("\"movedNs\":1699999999996000250,");
        assertThat(merged.summary().clocks().getLast())
                .startsWith("ranks 1, 3: time counts from another moment there")
                .endsWith("so that rank 1 begins with the first rank");
    }

    @Test
    void aRankThatWouldBeginBeforeTheFileIsMoved() throws IOException {
        assertThat(times(merge(List.of(at(0, "7"), at(1, "-100"))))).containsExactly("7", "7");
    }

    @Test
    void aRankWithoutEventsSaysNothingAboutTheTime() throws IOException {
        Merged merged = merge(List.of(rank(0, 4, ""), at(1, "1700000000000000"), at(2, "1700000000000002")));
        assertThat(times(merged).getFirst()).hasSizeLessThan(13);
        assertThat(merged.text()).doesNotContain("movedNs");
        assertThat(merged.summary().ranks().getFirst().isEmpty()).isTrue();
        assertThat(merged.summary().ranks().get(1).isEmpty()).isFalse();
    }

    @Test
    void mergingAMergedFileChangesNoEvent() throws IOException {
        List<byte[]> inputs = List.of(
                SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), 0),
                SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), 1));
        Merged once = merge(inputs, MergeOptions.standard(), false, 1);
        Path file = folder.resolve("once.json");
        Files.write(file, once.content());
        Path again = folder.resolve("again.json");
        try (Session session = new Session(1);
                TimelineOutput output =
                        new ChromeJsonWriter().open(again, new TraceWriter.Options(false, session.pool(), 1))) {
            TimelineMerge merge = new TimelineMerge(output, MergeOptions.standard(), Alignment.none());
            for (Trace trace : session.read(TraceInput.of(file), bytes -> {}, Keep.EVERYTHING)) {
                merge.add(trace);
            }
            merge.finish();
        }
        String text = Files.readString(again);
        assertThat(events(text)).isEqualTo(events(once.text()));
        assertThat(text.split("\"source\":", -1))
                .as("one for each rank in each table")
                .hasSize(5);
    }

    private static String events(String text) {
        return text.substring(0, text.indexOf("\"lockstepMerge\""));
    }

    @Test
    void aRankWithALargeNumberHasProcesses() throws IOException {
        assertThat(merge(List.of(rank(1, 9, RANK), rank(999_999, 9, RANK))).lines("\"process_name\"").stream()
                        .map(line -> line.replaceFirst(".*\"pid\":(\\d+).*\\{\"name\":\"(.*)\"}},?", "$1 $2"))
                        .skip(3))
                .containsExactly(
                        "10004 rank 999999 GPU 0: python (pid 0)",
                        "10005 rank 999999: python (pid 77)",
                        "10006 rank 999999: Spans");
    }

    @Test
    void aSyntheticRunComesBackRankByRank() throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(3);
        List<byte[]> inputs = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            inputs.add(SyntheticRun.bytes(recipe, rank));
        }
        Merged merged = merge(inputs, MergeOptions.standard(), true, 2);
        List<Trace> back = MergedFiles.read(merged.content());
        assertThat(back).hasSize(3);
        for (int rank = 0; rank < 3; rank++) {
            Trace before = TestTraces.read(inputs.get(rank), 1, dev.lockstep.read.ReadOptions.Keep.EVERYTHING);
            assertThat(back.get(rank).info().rank().index()).isEqualTo(rank);
            assertThat(back.get(rank).info().worldSize()).isEqualTo(3);
            assertThat(back.get(rank).info().devices()).isEqualTo(before.info().devices());
            List<String> expected = lines(before, 0);
            List<String> found = lines(back.get(rank), rank);
            assertThat(found).hasSameSizeAs(expected);
            for (int i = 0; i < found.size(); i++) {
                assertThat(found.get(i)).isEqualTo(expected.get(i));
            }
            assertThat(back.get(rank).flows().size()).isEqualTo(before.flows().size());
            assertThat(back.get(rank).marks().size()).isEqualTo(before.marks().size());
        }
    }

    /** Slices without what a merge may change: process numbers, and by how much numbers and times are moved. */
    private static List<String> lines(Trace trace, int rank) {
        Slices s = trace.slices();
        Recorded recorded = Objects.requireNonNull(trace.recorded());
        RecordedTexts.Cursor text = recorded.slices().cursor();
        OpDetails ops = trace.view(OpDetails.KEY);
        CollectiveDetails collectives = trace.view(CollectiveDetails.KEY);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < s.size(); i++) {
            text.move(i);
            String arguments =
                    new String(text.bytes, text.arguments, text.argumentsEnd - text.arguments, StandardCharsets.UTF_8);
            lines.add((s.ts(i) - s.ts(0)) + "+" + s.dur(i) + " " + s.kind(i) + " " + trace.name(i) + " "
                    + trace.strings().orNull(s.category(i)) + " "
                    + thread(trace.tracks().get(s.track(i))) + " " + own(s.correlation(i), rank) + " "
                    + own(s.externalId(i), rank) + " "
                    + arguments.replaceAll("\"(correlation|External id)\":\\d+", "\"$1\"") + " "
                    + (ops != null && ops.of(i) >= 0 ? trace.strings().orNull(ops.inputDims(ops.of(i))) : "") + " "
                    + (collectives != null && collectives.of(i) >= 0 ? collectives.inElements(collectives.of(i)) : ""));
        }
        Collections.sort(lines);
        return lines;
    }

    private static String thread(Track track) {
        return track.threadName() == null ? track.thread() : track.threadName().strip();
    }

    private static long own(long id, int rank) {
        return id < 0 ? id : id - rank * RankIds.STRIDE;
    }

    @Test
    void theNumberOfThreadsChangesNoByte() throws IOException {
        List<byte[]> inputs =
                List.of(SyntheticRun.bytes(SyntheticTraces.smallRecipe(1).withBytesPerRank(5 << 20), 0));
        byte[] one = merge(inputs, MergeOptions.standard(), true, 1).content();
        assertThat(merge(inputs, MergeOptions.standard(), true, 3).content()).isEqualTo(one);
        byte[] plain = merge(inputs, MergeOptions.standard(), false, 2).content();
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(one))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(plain);
        }
    }

    /** Whatever the damage: what is written is strict JSON, since one wrong byte makes all of it unreadable for others. */
    @Test
    void whatIsLeftOfADamagedFileIsSoundJson() throws IOException {
        byte[] input = rank(0, 1, RANK).getBytes(StandardCharsets.UTF_8);
        JsonFactory strict = new JsonFactory();
        int events = 0;
        for (Mutations.Mutation damaged : Mutations.random(input, 11, 600).toList()) {
            byte[] content;
            try {
                content = merge(List.of(damaged.content()), MergeOptions.standard(), false, 1)
                        .content();
            } catch (UserException | TraceFormatException e) {
                continue; // nothing in it can be read, and it says so
            }
            try (JsonParser parser = strict.createParser(content)) {
                while (parser.nextToken() != null) {
                    events += parser.currentToken() == JsonToken.START_OBJECT ? 1 : 0;
                }
            } catch (IOException e) {
                throw new AssertionError(damaged + " makes " + new String(content, StandardCharsets.UTF_8), e);
            }
        }
        assertThat(events).isGreaterThan(600 * 10);
    }

    @Test
    void filtersAndCountsAddUp() throws IOException {
        byte[] input = SyntheticRun.bytes(SyntheticTraces.smallRecipe(1).withSteps(3), 0);
        long all = merge(List.of(input), MergeOptions.standard(), false, 1)
                .summary()
                .slices();
        for (String filter : List.of("cat=kernel,cpu_op", "name=*gemm*", "stream=7", "time=10ms..20ms", "step=1..2")) {
            for (boolean keep : List.of(true, false)) {
                MergeFilter one = new MergeFilter(List.of(MergeFilter.parse(filter, keep)), false);
                MergeSummary summary = merge(List.of(input), new MergeOptions(one, false), false, 1)
                        .summary();
                long leftOut = summary.leftOut().entrySet().stream()
                        .filter(e -> e.getKey().isFilter() && e.getKey() != Reason.FLOW_OF_FILTERED)
                        .mapToLong(java.util.Map.Entry::getValue)
                        .sum();
                assertThat(summary.slices() + summary.ranks().getFirst().marks() + leftOut)
                        .as(filter + " " + keep)
                        .isEqualTo(all + 2);
            }
        }
    }
}
