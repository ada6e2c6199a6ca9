// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceDump;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

public class FlexReaderTest extends TraceReaderContract {
    /** Cycles per microsecond of the devices in these tests. */
    private static final int MHZ = 500;

    /**
     * An event of the device whose step lasts as long by its counters as by the host.
     *
     * @param step the place of the first of the two counters between which the step lies
     */
    private static String device(
            String name, int pid, String tid, double ts, double dur, int step, long counter, String more) {
        StringBuilder counters = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            long value = counter + (i <= step ? 0 : Math.round(dur * MHZ));
            counters.append("\"TS")
                    .append(i + 1)
                    .append("\": \"")
                    .append(value % (1L << 32))
                    .append("\", ");
        }
        return "{\"ph\": \"X\", \"name\": \"" + name + "\", \"pid\": " + pid + ", \"tid\": " + tid + ", \"ts\": " + ts
                + ", \"dur\": " + dur + ", \"attr\": {" + counters + more + "\"Power\": \"0x10\"}}";
    }

    private static String compute(String name, double ts, double dur) {
        return device(name + " Cmpt Exec", 0, "2009867741857745393", ts, dur, 2, 1000, "");
    }

    private static String transfer(String name, int pid, double ts, double dur, String more) {
        return device(name + " DmaO", pid, "15514734831341844875", ts, dur, 3, 7, more);
    }

    private static String host(String name, double ts, double dur) {
        return "{\"ph\": \"X\", \"name\": \"" + name + "\", \"pid\": 0, \"tid\": 77, \"ts\": " + ts + ", \"dur\": "
                + dur + ", \"attr\": {}}";
    }

    private static final List<String> EVENTS = List.of(
            host("AIU Roundtrip", 90, 300),
            compute("mm_1", 100, 100),
            device("mm_1 DmaI", 0, "11", 60, 30, 0, (1L << 32) - 20, "\"Bytes\": \"4096\", "),
            device("mm_1 Cmpt Prep", 0, "12", 90, 10, 1, 5, ""),
            transfer(
                    "SenRdmaSend_7 [sync=AllReduce_all_reduce_4_s0_r1_0]",
                    0,
                    150,
                    100,
                    "\"Bytes\": \"524288\", \"CollGroup\": \"AllReduce_all_reduce_4\", \"Peer\": \"1\", "),
            device("mm_2 DmaI", 0, "11", 240, 30, 0, 99, "\"Bytes\": \"10\", "));

    @Override
    protected TraceReader reader() {
        return new FlexReader();
    }

    @Override
    protected List<Sample> samples() {
        return List.of(sample("a list", "[\n", "\n]"), sample("an object", "{\"traceEvents\": [", "]}"));
    }

    private static Sample sample(String name, String head, String tail) {
        StringBuilder text = new StringBuilder(head);
        List<Integer> ends = new ArrayList<>();
        for (String event : EVENTS) {
            text.append(ends.isEmpty() ? "" : ",\n").append(event);
            ends.add(text.length());
        }
        text.append(tail);
        return new Sample(
                name,
                text.toString().getBytes(UTF_8),
                ends.stream().mapToInt(i -> i).toArray());
    }

    @Override
    protected List<byte[]> strangers() {
        List<byte[]> all = new ArrayList<>(super.strangers());
        all.add("{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\"}]}".getBytes(UTF_8));
        all.add("[{\"ph\":\"X\",\"cat\":\"aiu_compute\",\"args\":{\"TS1\":\"4\"}}]".getBytes(UTF_8));
        return all;
    }

    private List<Trace> readAll(List<String> events) throws IOException {
        return read(("[" + String.join(",", events) + "]").getBytes(UTF_8), 1);
    }

    private Trace read(List<String> events) throws IOException {
        List<Trace> traces = readAll(events);
        assertThat(traces).hasSize(1);
        return traces.getFirst();
    }

    private static int slice(Trace trace, String part) {
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.name(i).contains(part)) {
                return i;
            }
        }
        throw new AssertionError("no slice " + part);
    }

    @Test
    void stepsOfTheDeviceHaveTheirKinds() throws IOException {
        Trace trace = read(EVENTS);
        Slices slices = trace.slices();
        assertThat(slices.kind(slice(trace, "Roundtrip"))).isEqualTo(SliceKind.RUNTIME_CALL);
        assertThat(slices.kind(slice(trace, "Cmpt Exec"))).isEqualTo(SliceKind.KERNEL);
        assertThat(slices.kind(slice(trace, "mm_1 DmaI"))).isEqualTo(SliceKind.MEMCPY);
        assertThat(slices.kind(slice(trace, "Cmpt Prep"))).isEqualTo(SliceKind.DEVICE_SYNC);
        assertThat(slices.kind(slice(trace, "SenRdma"))).isEqualTo(SliceKind.KERNEL);
        assertThat(trace.counts().device()).isEqualTo(4);
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        assertThat(details.bytes(details.of(slice(trace, "mm_1 DmaI")))).isEqualTo(4096);
        assertThat(details.stream(details.of(slice(trace, "Cmpt Exec")))).isZero();
        assertThat(trace.tracks().get(slices.track(slice(trace, "Cmpt Exec"))).threadName())
                .isEqualTo("AIU compute");
    }

    /** A recording with computation 100 to 200, a transfer 150 to 250, copies 60 to 90 and 240 to 270. */
    Trace whole() throws IOException {
        return read(EVENTS);
    }

    @Test
    void whatTheHostMeasuredTooLongIsCutToTheCycles() throws IOException {
        Trace trace = read(List.of(
                compute("a", 100, 100),
                compute("b", 300, 200),
                device("c Cmpt Exec", 0, "1", 600, 8, 2, 0, "").replace("\"dur\": 8.0", "\"dur\": 10.0")));
        int slice = slice(trace, "c Cmpt");
        assertThat(trace.slices().dur(slice)).isEqualTo(8_000);
        assertThat(trace.slices().end(slice)).isEqualTo(610_000);
        assertThat(trace.diagnostics().observations())
                .anyMatch(e -> e.code().equals("device_clock") && e.message().contains("500.00 MHz"));
    }

    @Test
    void countersThatWrapInsideAStepAreUnderstood() throws IOException {
        Trace trace = read(EVENTS);
        int slice = slice(trace, "mm_1 DmaI");
        assertThat(trace.slices().ts(slice)).isEqualTo(60_000);
        assertThat(trace.slices().dur(slice)).isEqualTo(30_000);
    }

    @Test
    void countersThatContradictTheHostAreNotUsed() throws IOException {
        List<String> events = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            int mhz = 100 * i;
            events.add(compute("k" + i, i * 100, 50).replace("26000", Integer.toString(1000 + 50 * mhz)));
        }
        Trace trace = read(events);
        for (int i = 0; i < 6; i++) {
            assertThat(trace.slices().dur(i)).isEqualTo(50_000);
        }
        assertThat(trace.diagnostics().observations())
                .anyMatch(e -> e.code().equals("device_clock") && e.message().contains("do not agree"));
    }

    @Test
    void beginsAndEndsMakeOneEvent() throws IOException {
        List<String> events = new ArrayList<>();
        for (String event : EVENTS) {
            double ts = Double.parseDouble(event.replaceAll(".*\"ts\": ([0-9.]+).*", "$1"));
            double dur = Double.parseDouble(event.replaceAll(".*\"dur\": ([0-9.]+).*", "$1"));
            String head = event.replaceAll("\"dur\": [0-9.]+, ", "");
            events.add(head.replace("\"X\"", "\"B\""));
            events.add(head.replace("\"X\"", "\"E\"").replaceAll("\"ts\": [0-9.]+", "\"ts\": " + (ts + dur)));
        }
        assertThat(times(read(events))).isEqualTo(times(read(EVENTS)));
    }

    @Test
    void endsFindTheirBeginsAcrossOthers() throws IOException {
        Trace trace = read(List.of(
                edge("B", "outer", 1),
                edge("B", "inner", 2),
                edge("E", "inner", 3),
                edge("E", "outer", 9),
                edge("B", "again", 10),
                edge("B", "other", 11),
                edge("B", "again", 12),
                edge("B", "other", 13),
                edge("E", "again", 14),
                edge("E", "again", 20),
                edge("E", "lost", 21)));
        assertThat(times(trace))
                .containsExactly("outer 1000+8000", "inner 2000+1000", "again 10000+10000", "again 12000+2000");
        assertThat(trace.diagnostics().observations())
                .anyMatch(e -> e.code().equals("unpaired_edges") && e.count() == 3);
    }

    @Test
    void phasesThatTheFormatDoesNotKnowAreCounted() throws IOException {
        List<String> events = new ArrayList<>(EVENTS);
        events.add(edge("Z", "what", 3));
        events.add(edge("b", "known", 3));
        assertThat(read(events).diagnostics().problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("ph_unknown"));
    }

    private static String edge(String phase, String name, int ts) {
        return "{\"ph\": \"" + phase + "\", \"name\": \"" + name + "\", \"pid\": 0, \"tid\": 5, \"ts\": " + ts
                + ", \"attr\": {}}";
    }

    private static List<String> times(Trace trace) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            lines.add(trace.name(i) + " " + trace.slices().ts(i) + "+"
                    + trace.slices().dur(i));
        }
        return lines;
    }

    @Test
    void orderOfEventsLeavesNoMark() throws IOException {
        List<String> shuffled = new ArrayList<>(EVENTS);
        Collections.shuffle(shuffled, new Random(4));
        assertThat(shuffled).isNotEqualTo(EVENTS);
        assertThat(TraceDump.withoutPlaces(read(shuffled))).isEqualTo(TraceDump.withoutPlaces(read(EVENTS)));
    }

    @Test
    void everyProcessWithADeviceIsARank() throws IOException {
        List<Trace> traces = readAll(List.of(
                compute("a", 10, 5),
                compute("b", 20, 5).replace("\"pid\": 0", "\"pid\": 3"),
                host("Compute of x", 1, 40).replace("\"pid\": 0", "\"pid\": 1003")));
        assertThat(traces).extracting(t -> t.info().rank().index()).containsExactly(0, 3);
        assertThat(traces).extracting(t -> t.info().rank().origin()).containsOnly(Rank.Origin.TRACE);
        assertThat(times(traces.getLast())).hasSize(2);
    }

    /** Two all-reduces at one place; the steps of the second may begin before the first has ended. */
    private static List<String> ofRank(int rank) {
        String group = "\"CollGroup\": \"AllReduce_all_reduce_4\", ";
        List<String> events = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            double at = 1000 * n + 10 * rank;
            String sync = " [sync=AllReduce_all_reduce_4_s0_r1_0]";
            int id = 100 * rank + n;
            if (rank == 0) {
                events.add(transfer("SenRdmaSend_" + id + sync, rank, at, 50, group + "\"Bytes\": \"2048\", "));
            } else {
                events.add(device(
                        "SenRdmaReceive_" + id + " [2048B]" + sync + " DmaI",
                        rank,
                        "8",
                        at,
                        60,
                        0,
                        3,
                        group + "\"Bytes\": \"2048\", "));
                events.add(device("AllReduce_all_reduce_4_Add_1 Cmpt Exec", rank, "9", at + 70, 10, 2, 3, group));
            }
        }
        return events;
    }

    @Test
    void stepsAtOnePlaceAreOneCollective() throws IOException {
        List<RankCollectives> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            ranks.add(new DerivedCache(read(ofRank(rank))).get(RankCollectives.Key.standard()));
        }
        assertThat(ranks.get(0).size()).isEqualTo(2);
        assertThat(ranks.get(1).size()).isEqualTo(2);
        assertThat(ranks.get(1).ts(1)).isEqualTo(1_010_000);
        assertThat(ranks.get(1).dur(1)).isEqualTo(80_000);
        assertThat(ranks.get(1).call(1).kind()).isEqualTo(CollectiveKind.ALL_REDUCE);
        assertThat(ranks.get(1).call(1).inElements()).isEqualTo(2048);
        assertThat(ranks.get(1).call(1).groupSize()).isEqualTo(2);
        CollectiveMatch match = CollectiveMatch.of(ranks);
        assertThat(match.size()).isEqualTo(2);
        assertThat(match.members(0)).isEqualTo(2);
        assertThat(match.disagreements()).isZero();
    }

    /** What the pipeline wrote has final times, names without numbers, and the host under another process. */
    @Test
    void whatThePipelineWroteIsReadAsItIs() throws IOException {
        String document = """
                {"deviceProperties": [{}], "traceName": "out.json", "traceEvents": [
                {"name": "ConcurrentPreps", "cat": "Pending Prep Events", "ph": "C", "ts": 1.5, "pid": 0, "args": {"Concurrency": 1}},
                {"name": "mm Cmpt Exec", "cat": "kernel", "ph": "X", "ts": 100.25, "dur": 7.0, "pid": 0, "tid": 1000,
                 "args": {"TS1": "1", "TS2": "1", "TS3": "1", "TS4": "999", "TS5": "999", "orig_name": "mm_1 Cmpt Exec",
                  "class": "COMPUTE_EXEC", "jobname": "a.json(1)"}},
                {"name": "SenRdmaSend [sync=AllReduce_all_reduce_s_r] DmaO", "cat": "user_annotation", "ph": "X", "ts": 103.0,
                 "dur": 8.0, "pid": 0, "tid": 1100, "args": {"CollGroup": "AllReduce_all_reduce_4", "bytes": "64",
                  "orig_name": "SenRdmaSend_7 [sync=AllReduce_all_reduce_4_s0_r1_0] DmaO",
                  "TS1": "1", "TS2": "1", "TS3": "1", "TS4": "2", "TS5": "999", "class": "MAIU_P2PRDMA_PROTOCOL_SEND_DATA"}},
                {"name": "AllReduce_all_reduce_4", "cat": "user_annotation", "ph": "X", "ts": 103.0, "dur": 9.0, "pid": 0,
                 "tid": "coll0", "args": {"CollGroup": "AllReduce_all_reduce_4", "class": "OTHER"}},
                {"name": "AIU Roundtrip", "cat": "cpu_op", "ph": "X", "ts": 90.0, "dur": 40.0, "pid": 1000, "tid": 1000,
                 "args": {"class": "ROUNDTRIP_AIU"}}
                ], "otherData": {"Application": "Acelyzer"}}
                """;
        assertThat(new FlexReader().recognises(document.getBytes(UTF_8))).isTrue();
        List<Trace> traces = read(document.getBytes(UTF_8), 1);
        assertThat(traces).hasSize(1);
        Trace trace = traces.getFirst();
        assertThat(times(trace))
                .containsExactly(
                        "AIU Roundtrip 90000+40000",
                        "mm Cmpt Exec 100250+7000",
                        "AllReduce_all_reduce_4 103000+9000",
                        "SenRdmaSend [sync=AllReduce_all_reduce_s_r] DmaO 103000+8000");
        assertThat(trace.slices().kind(2)).isEqualTo(SliceKind.DEVICE_ANNOTATION);
        RankCollectives collectives = new DerivedCache(trace).get(RankCollectives.Key.standard());
        assertThat(collectives.size()).isOne();
        assertThat(collectives.call(0).groupSize()).isEqualTo(2);
    }

    @Test
    void eventsOfTheDeviceWithoutCountersKeepTheTimesOfTheHost() throws IOException {
        Trace trace = read(List.of(host("mm_1 Cmpt Exec", 5, 10)));
        assertThat(trace.slices().kind(0)).isEqualTo(SliceKind.KERNEL);
        assertThat(trace.slices().dur(0)).isEqualTo(10_000);
        assertThat(trace.diagnostics().observations()).anyMatch(e -> e.code().equals("counters_missing"));
    }

    @Test
    void whatStandsBehindADamagedEventIsRead() throws IOException {
        List<String> events = new ArrayList<>(EVENTS);
        events.add(2, "{\"ph\": \"X\", \"name\": \"broken [a], b\", \"ts\": 1 2 }");
        Trace trace = read(events);
        assertThat(times(trace)).hasSameSizeAs(EVENTS);
        assertThat(trace.diagnostics().problems()).anyMatch(e -> e.code().equals("syntax"));
    }

    @Test
    void theProgramsOwnReaderIsChosenByContent() throws IOException {
        Trace trace = TestTraces.read(("[" + String.join(",", EVENTS) + "]").getBytes(UTF_8));
        assertThat(trace.info().format()).isEqualTo("flex-json");
    }
}
