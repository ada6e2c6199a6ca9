// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.testkit.TraceDump;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceBuilderTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final TraceInfo INFO =
            new TraceInfo("t.json", "test", new Rank(0, Rank.Origin.ORDER), -1, List.of(), 0, Map.of());

    private final TraceBuilder builder = new TraceBuilder(4);
    private int events;

    private int slice(long ts, long dur, String name, SliceKind kind) {
        return slice(builder, ts, dur, name, kind, "1", events++);
    }

    private static int slice(
            TraceBuilder into, long ts, long dur, String name, SliceKind kind, String thread, int index) {
        int track = into.track(into.strings().intern("p"), into.strings().intern(thread));
        int id = into.strings().intern(name);
        int slice = into.slice(ts, dur, id, track, kind);
        into.source(slice, into.strings().intern("cat"), index);
        return slice;
    }

    private void edge(boolean begin, long ts, String name) {
        edge(builder, begin, ts, name, "1", events++);
    }

    private static void edge(TraceBuilder into, boolean begin, long ts, String name, String thread, int index) {
        if (begin) {
            into.begin(slice(into, ts, -1, name, SliceKind.CPU_OP, thread, index));
        } else {
            int track = into.track(into.strings().intern("p"), into.strings().intern(thread));
            into.end(ts, into.strings().intern(name), -1, track, index);
        }
    }

    private static List<String> names(Trace trace) {
        return IntStream.range(0, trace.slices().size()).mapToObj(trace::name).toList();
    }

    private static List<String> problems(Trace trace) {
        return trace.diagnostics().problems().stream().map(Entry::code).toList();
    }

    @Test
    void slicesStandByStartThenLongestFirst() {
        slice(20, 5, "late", SliceKind.CPU_OP);
        slice(10, 5, "inner", SliceKind.CPU_OP);
        slice(10, 50, "outer", SliceKind.CPU_OP);
        assertThat(names(builder.build(INFO))).containsExactly("outer", "inner", "late");
    }

    @Test
    void ofEqualTimesOuterKindsComeFirstThenThatOfTheFileThenContent() {
        slice(0, 9, "b", SliceKind.RUNTIME_CALL);
        slice(0, 9, "b", SliceKind.CPU_OP);
        slice(0, 9, "a", SliceKind.CPU_OP);
        slice(0, 9, "z", SliceKind.PYTHON);
        slice(0, 9, "k", SliceKind.KERNEL);
        slice(0, 9, "j", SliceKind.KERNEL);
        Trace trace = builder.build(INFO);
        assertThat(names(trace)).containsExactly("z", "b", "a", "b", "j", "k");
        assertThat(trace.slices().kind(3)).isEqualTo(SliceKind.RUNTIME_CALL);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void orderOfTheFileLeavesNoMark(long seed) {
        Random random = new Random(seed);
        List<ObjIntConsumer<TraceBuilder>> statements = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            long ts = random.nextInt(40);
            long dur = random.nextInt(5);
            String name = "n" + random.nextInt(6);
            String thread = "t" + random.nextInt(3);
            SliceKind kind = SliceKind.values()[random.nextInt(SliceKind.values().length)];
            long number = i;
            statements.add((b, index) -> b.number(slice(b, ts, dur, name, kind, thread, index), number));
        }
        String wanted = TraceDump.withoutPlaces(build(statements));
        for (int round = 0; round < 5; round++) {
            Collections.shuffle(statements, random);
            assertThat(TraceDump.withoutPlaces(build(statements))).isEqualTo(wanted);
        }
    }

    private static Trace build(List<ObjIntConsumer<TraceBuilder>> statements) {
        TraceBuilder all = new TraceBuilder(4);
        for (int i = 0; i < statements.size(); i++) {
            statements.get(i).accept(all, i);
        }
        return all.build(INFO);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 5, 6, 7})
    void partsThatAreAppendedGiveTheTraceOfOneBuilder(long seed) {
        Random random = new Random(seed);
        List<ObjIntConsumer<TraceBuilder>> statements = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            statements.add(statement(random));
        }
        Trace whole = build(statements);
        for (int round = 0; round < 5; round++) {
            TraceBuilder joined = new TraceBuilder(4);
            int from = 0;
            while (from < statements.size()) {
                int to = Math.min(statements.size(), from + random.nextInt(120));
                TraceBuilder part = new TraceBuilder(4);
                for (int i = from; i < to; i++) {
                    statements.get(i).accept(part, i - from);
                }
                joined.append(part, from);
                from = to;
            }
            assertThat(TraceDump.of(joined.build(INFO))).isEqualTo(TraceDump.of(whole));
        }
    }

    private static ObjIntConsumer<TraceBuilder> statement(Random random) {
        long ts = random.nextInt(1000);
        long dur = random.nextInt(50);
        String name = "n" + random.nextInt(20);
        String thread = "t" + random.nextInt(4);
        int kind = random.nextInt(9);
        int value = random.nextInt(100);
        return (b, index) -> {
            int track = b.track(b.strings().intern("p"), b.strings().intern(thread));
            switch (kind) {
                case 0, 1, 2 -> slice(b, ts, dur, name, SliceKind.CPU_OP, thread, index);
                case 3 -> {
                    b.details(OpDetails.KEY).add(slice(b, ts, dur, name, SliceKind.CPU_OP, thread, index));
                    b.details(OpDetails.KEY)
                            .text(OpDetails.INPUT_DIMS, b.strings().intern("[" + value + "]"));
                    b.details(OpDetails.KEY).number(OpDetails.SEQUENCE, value);
                }
                case 4 -> {
                    b.details(DeviceDetails.KEY).add(slice(b, ts, dur, name, SliceKind.KERNEL, thread, index));
                    b.details(DeviceDetails.KEY).number(DeviceDetails.STREAM, value);
                }
                case 5 -> edge(b, value % 2 == 0, ts, "n" + value / 2 % 3, thread, index);
                case 6 ->
                    b.flow(
                            value,
                            "stf".charAt(value % 3),
                            ts,
                            track,
                            b.strings().intern("ac2g"));
                case 7 -> b.mark('i', ts, track, b.strings().intern(name), -1);
                default -> {
                    b.threadName("p", thread, name);
                    b.processName("p", name);
                    b.counts().add(1, 0, 0);
                    b.counts().addPhase("M", 1);
                    b.counts().addCategory(name, 1, value);
                    b.diagnostics().add(Diagnostics.Weight.REPAIRED, "code" + value % 3, name, value);
                }
            }
        };
    }

    @Test
    void detailsFollowTheirSlices() {
        int late = slice(20, 5, "late", SliceKind.KERNEL);
        builder.details(DeviceDetails.KEY).add(late);
        builder.details(DeviceDetails.KEY).number(DeviceDetails.STREAM, 7);
        slice(15, 5, "without", SliceKind.KERNEL);
        int early = slice(10, 5, "early", SliceKind.KERNEL);
        builder.details(DeviceDetails.KEY).add(early);
        builder.details(DeviceDetails.KEY).number(DeviceDetails.STREAM, 3);
        Trace trace = builder.build(INFO);
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        assertThat(details).isNotNull();
        assertThat(details.size()).isEqualTo(2);
        assertThat(details.stream(details.of(0))).isEqualTo(3);
        assertThat(details.of(1)).isEqualTo(-1);
        assertThat(details.stream(details.of(2))).isEqualTo(7);
        assertThat(details.device(details.of(2))).isEqualTo(-1);
        assertThat(trace.view(OpDetails.KEY)).isNull();
    }

    @Test
    void innermostBeginTakesTheNextEnd() {
        edge(true, 0, "outer");
        edge(true, 10, "inner");
        edge(false, 15, "inner");
        edge(false, 40, "outer");
        Trace trace = builder.build(INFO);
        assertThat(names(trace)).containsExactly("outer", "inner");
        assertThat(trace.slices().dur(0)).isEqualTo(40);
        assertThat(trace.slices().dur(1)).isEqualTo(5);
    }

    @Test
    void edgesArePairedByTimeNotByPlaceInTheFile() {
        edge(false, 40, "a");
        edge(true, 0, "a");
        Trace trace = builder.build(INFO);
        assertThat(trace.slices().dur(0)).isEqualTo(40);
        assertThat(trace.diagnostics().observations()).isEmpty();
    }

    @Test
    void anEndClosesTheInnermostOfItsName() {
        edge(true, 0, "outer");
        edge(true, 10, "never ended");
        edge(false, 12, "never begun");
        edge(true, 14, "inner");
        edge(false, 15, "");
        edge(false, 40, "outer");
        Trace trace = builder.build(INFO);
        assertThat(names(trace)).containsExactly("outer", "inner");
        assertThat(trace.slices().dur(0)).isEqualTo(40);
        assertThat(trace.slices().dur(1)).isEqualTo(1);
        assertThat(trace.diagnostics().observations())
                .extracting(Entry::code, Entry::count)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("unpaired_edges", 2L));
    }

    @Test
    void slicesThatOverlapAreToldApartByName() {
        edge(true, 0, "step");
        edge(true, 10, "late");
        edge(false, 15, "step");
        edge(true, 16, "step");
        edge(false, 17, "late");
        edge(false, 20, "step");
        Trace trace = builder.build(INFO);
        assertThat(names(trace)).containsExactly("step", "late", "step");
        assertThat(trace.slices().end(0)).isEqualTo(15);
        assertThat(trace.slices().end(1)).isEqualTo(17);
        assertThat(trace.diagnostics().observations()).isEmpty();
    }

    @Test
    void manyThatNeverEndCostLinearTime() {
        for (int i = 0; i < 300_000; i++) {
            edge(true, i, "n" + i % 1_000);
        }
        for (int i = 0; i < 300_000; i++) {
            edge(false, 300_000 + i, i % 2 == 0 ? "n" + i % 1_000 : "never begun");
        }
        assertThat(builder.build(INFO).slices().size()).isEqualTo(150_000);
    }

    @Test
    void lonelyEdgesAreCounted() {
        edge(false, 1, "never begun");
        edge(true, 2, "never ended");
        Trace trace = builder.build(INFO);
        assertThat(trace.slices().size()).isZero();
        assertThat(trace.diagnostics().observations())
                .extracting(Entry::code, Entry::count)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("unpaired_edges", 2L));
    }

    @Test
    void timesFarFromAllOthersAreLeftOut() {
        long now = 1_700_000_000_000_000_000L;
        for (int i = 0; i < 5; i++) {
            slice(now + i, 10, "sound", SliceKind.CPU_OP);
        }
        slice(0, 10, "zero", SliceKind.CPU_OP);
        slice(-now, 10, "negative", SliceKind.CPU_OP);
        slice(now * 2, 10, "future", SliceKind.CPU_OP);
        slice(now, 24 * 8 * HOUR, "endless", SliceKind.CPU_OP);
        Trace trace = builder.build(INFO);
        assertThat(names(trace)).containsOnly("sound").hasSize(5);
        assertThat(problems(trace)).containsExactly("implausible_time");
        assertThat(trace.diagnostics().problems().getFirst().count()).isEqualTo(4);
    }

    @Test
    void marksFarFromAllSlicesAreLeftOutWithTheirDetails() {
        slice(1000 * HOUR, 5, "op", SliceKind.CPU_OP);
        for (long ts : new long[] {0, 1000 * HOUR + 1, 3000 * HOUR, 1000 * HOUR - 24 * HOUR}) {
            builder.mark('i', ts, 0, builder.strings().intern("[memory]"), -1);
            DetailRows rows = builder.markDetails(MemoryDetails.KEY);
            rows.add(builder.markCount() - 1);
            rows.number(MemoryDetails.BYTES, builder.markCount());
        }
        Trace trace = builder.build(INFO);
        MemoryDetails memory = trace.view(MemoryDetails.KEY);
        assertThat(memory).isNotNull();
        assertThat(IntStream.range(0, trace.marks().size())
                        .mapToLong(mark -> memory.bytes(memory.of(mark)))
                        .toArray())
                .containsExactly(2, 4);
        assertThat(trace.diagnostics().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("implausible_time");
            assertThat(problem.count()).isEqualTo(2);
        });
    }

    @Test
    void withoutSlicesAllMarksStay() {
        builder.mark('i', 0, slice(0, -1, "left out", SliceKind.CPU_OP), 0, -1);
        builder.mark('i', 3000 * HOUR, 0, 0, -1);
        Trace trace = builder.build(INFO);
        assertThat(trace.marks().size()).isEqualTo(2);
        assertThat(trace.diagnostics().problems()).isEmpty();
    }

    @Test
    void theLargestTimesDoNotHideOneAnother() {
        long largest = 1L << 62;
        slice(-largest, 1, "first", SliceKind.CPU_OP);
        slice(largest, 1, "last", SliceKind.CPU_OP);
        slice(largest, 1, "last", SliceKind.CPU_OP);
        assertThat(names(builder.build(INFO))).containsExactly("last", "last");
    }

    @Test
    void hostAndDeviceMayHaveClocksOfTheirOwn() {
        slice(0, 10, "host", SliceKind.CPU_OP);
        slice(1_700_000_000_000_000_000L, 10, "device", SliceKind.KERNEL);
        Trace trace = builder.build(INFO);
        assertThat(names(trace)).containsExactly("host", "device");
        assertThat(problems(trace)).isEmpty();
    }

    @Test
    void aRecordingOfDaysIsBelieved() {
        for (int i = 0; i < 10; i++) {
            slice(i * 48 * HOUR, HOUR, "step", SliceKind.CPU_OP);
        }
        assertThat(names(builder.build(INFO))).hasSize(10);
    }

    @Test
    void namesOfTracksMayComeLast() {
        slice(0, 1, "a", SliceKind.CPU_OP);
        builder.processName("p", "python3");
        builder.processLabels("p", "CPU");
        builder.threadName("p", "1", "main");
        assertThat(builder.build(INFO).tracks()).containsExactly(new Track("p", "1", "python3", "CPU", "main"));
    }

    @Test
    void ofSeveralNamesTheMostTellingCountsInWhateverOrder() {
        TraceBuilder other = new TraceBuilder(4);
        for (TraceBuilder one : List.of(builder, other)) {
            slice(one, 0, 1, "a", SliceKind.CPU_OP, "1", 0);
        }
        for (String name : List.of("python", "pt_autograd_0", "python3")) {
            builder.threadName("p", "1", name);
        }
        for (String name : List.of("python", "python3", "pt_autograd_0")) {
            other.threadName("p", "1", name);
        }
        Track track = builder.build(INFO).tracks().getFirst();
        Track same = other.build(INFO).tracks().getFirst();
        assertThat(track.threadName()).isEqualTo("pt_autograd_0").isEqualTo(same.threadName());
        assertThat(track.lastNames().thread()).isEqualTo("python3");
        assertThat(same.lastNames().thread()).isEqualTo("pt_autograd_0");
    }

    @Test
    void anotherRankIsTheSameRecording() {
        slice(0, 1, "a", SliceKind.CPU_OP);
        Trace trace = builder.build(INFO);
        Trace other = trace.withRank(new Rank(5, Rank.Origin.PATH));
        assertThat(other.info().rank().index()).isEqualTo(5);
        assertThat(other.slices()).isSameAs(trace.slices());
    }
}
