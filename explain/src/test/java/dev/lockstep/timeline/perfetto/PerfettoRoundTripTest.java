// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.TimelineMerge;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.session.Session;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceDump;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written is read again: the same slices, arrows, marks and details, and so the same reports. */
class PerfettoRoundTripTest {
    private static final Pattern TIME = Pattern.compile("(?<=^slice | at )(-?\\d+)");

    @TempDir
    Path folder;

    private static Trace everything(String events) throws IOException {
        byte[] document = TestTraces.document(events).getBytes(StandardCharsets.UTF_8);
        return TestTraces.read(document, 1, Keep.EVERYTHING);
    }

    private Path write(String name, List<Trace> traces, TraceWriter.Options options) throws IOException {
        Path file = folder.resolve(name);
        try (TimelineOutput output = new PerfettoWriter().open(file, options)) {
            TimelineMerge merge = new TimelineMerge(output, MergeOptions.standard(), Alignment.none());
            for (Trace trace : traces) {
                merge.add(trace);
            }
            merge.finish();
        }
        return file;
    }

    private Path write(List<Trace> traces) throws IOException {
        return write("run.pftrace", traces, new TraceWriter.Options(false, Runnable::run, 1));
    }

    private static List<Trace> read(Path file, Keep keep) throws IOException {
        try (Session session = new Session(2)) {
            return session.read(TraceInput.of(file), bytes -> {}, keep);
        }
    }

    private Trace again(String events) throws IOException {
        List<Trace> traces = read(write(List.of(everything(events))), Keep.MEANING);
        assertThat(traces).hasSize(1);
        assertThat(traces.getFirst().diagnostics().problems()).isEmpty();
        return traces.getFirst();
    }

    @Test
    void eventsOfEveryPhaseAreThere() throws IOException {
        StringBuilder events =
                new StringBuilder("{\"ph\": \"X\", \"name\": \"k\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9}");
        String phases = "RnTpPOVvcb(e)NDSFiI";
        for (int i = 0; i < phases.length(); i++) {
            events.append(",\n{\"ph\": \"")
                    .append(phases.charAt(i))
                    .append("\", \"name\": \"mark\", \"cat\": \"c\", \"pid\": 1, \"tid\": 1, \"id\": 5, \"ts\": ")
                    .append(2 + i)
                    .append('}');
        }
        events.append(
                ",\n{\"ph\": \"C\", \"name\": \"text\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"args\": {\"a\": \"b\"}}");
        Trace trace = again(events.toString());
        int pairs = 3;
        assertThat(trace.slices().size()).isEqualTo(1 + pairs);
        assertThat(trace.marks().size()).isEqualTo(phases.length() + 1 - 2 * pairs);
    }

    /** Slices, arrows and marks, with times counted from the first slice. */
    private static List<String> tables(Trace trace) {
        long first = trace.slices().ts(0);
        return TraceDump.withoutPlaces(trace)
                .lines()
                .filter(line -> line.matches("(slice|flow|mark) .*"))
                .map(line -> {
                    Matcher time = TIME.matcher(line);
                    return time.replaceAll(found -> String.valueOf(Long.parseLong(found.group()) - first));
                })
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CUDA", "ROCM"})
    void syntheticRanksComeBackAsTheyWere(String vendor) throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(3).withVendor(dev.lockstep.synth.Vendor.valueOf(vendor));
        List<Trace> ranks = List.of(
                TestTraces.read(SyntheticRun.bytes(recipe, 0), 1, Keep.EVERYTHING),
                TestTraces.read(SyntheticRun.bytes(recipe, 1), 1, Keep.EVERYTHING),
                TestTraces.read(SyntheticRun.bytes(recipe, 2), 1, Keep.EVERYTHING));
        List<Trace> back = read(write(ranks), Keep.MEANING);
        assertThat(back).hasSize(3);
        for (int rank = 0; rank < 3; rank++) {
            Trace before = ranks.get(rank);
            Trace after = back.get(rank);
            assertThat(after.diagnostics().problems()).isEmpty();
            assertThat(after.info().rank()).isEqualTo(before.info().rank());
            assertThat(after.info().worldSize()).isEqualTo(3);
            assertThat(after.info().devices()).isEqualTo(before.info().devices());
            assertThat(after.info().metadata()).isEqualTo(before.info().metadata());
            assertThat(tables(after)).isEqualTo(tables(before));
        }
    }

    @Test
    void reportsAreTheSameByteForByte() throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withMemory(new MemoryPlan(512, 1 << 20, 0, 1));
        Trace before = TestTraces.read(SyntheticRun.bytes(recipe, 1), 1, Keep.EVERYTHING);
        Trace after = read(write(List.of(before)), Keep.MEANING).getFirst();
        Map<String, String> sheets = sheets("after", after);
        Map<String, String> expected = sheets("before", before);
        for (String name : List.of("memory_steps.csv", "memory_timeline.csv")) {
            sheets.computeIfPresent(name, (n, sheet) -> withoutTimes(sheet));
            expected.computeIfPresent(name, (n, sheet) -> withoutTimes(sheet));
        }
        assertThat(sheets).containsKey("memory_peak.csv").isEqualTo(expected);
    }

    /** A sheet without quotes, less its times by the clock of the file, which moves. */
    private static String withoutTimes(String sheet) {
        List<String> header = List.of(sheet.lines().findFirst().orElseThrow().split(","));
        StringBuilder rest = new StringBuilder();
        sheet.lines().map(line -> line.split(",", -1)).forEach(cells -> {
            for (int i = 0; i < cells.length; i++) {
                rest.append(header.get(i).endsWith(" us") ? "" : cells[i]).append(',');
            }
            rest.append('\n');
        });
        return rest.toString();
    }

    private Map<String, String> sheets(String name, Trace trace) throws IOException {
        Path directory = Files.createDirectory(folder.resolve(name));
        new CsvWriter().write(PerformanceReport.of(trace, ReportOptions.standard()), directory, CellStyle.PLAIN);
        Map<String, String> sheets = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (!file.endsWith("coverage.csv")) {
                    String sheet = Files.readString(file);
                    boolean placed = file.endsWith("idle_causes.csv"); // last, where it is in the file
                    sheets.put(
                            String.valueOf(file.getFileName()),
                            placed ? sheet.replaceAll(",[^,\\n]*(?=\\n)", "") : sheet);
                }
            }
        }
        return sheets;
    }

    @Test
    void whatIsReadCanBeWrittenAgain() throws IOException {
        List<Trace> ranks = List.of(
                TestTraces.read(SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), 0), 1, Keep.EVERYTHING),
                TestTraces.read(SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), 1), 1, Keep.EVERYTHING));
        Path first = write("first.pftrace", ranks, new TraceWriter.Options(false, Runnable::run, 1));
        List<Trace> back = read(first, Keep.EVERYTHING);
        Path second = write("second.pftrace", back, new TraceWriter.Options(true, Runnable::run, 1));
        List<Trace> twice = read(second, Keep.EVERYTHING);
        for (int rank = 0; rank < 2; rank++) {
            assertThat(tables(twice.get(rank))).isEqualTo(tables(ranks.get(rank)));
        }
    }

    @Test
    void theNumberOfThreadsChangesNoByte() throws IOException {
        List<Trace> ranks =
                List.of(TestTraces.read(SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), 0), 1, Keep.EVERYTHING));
        Path one = write("one.pftrace", ranks, new TraceWriter.Options(false, Runnable::run, 1));
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            Path four = write("four.pftrace", ranks, new TraceWriter.Options(false, pool, 4));
            assertThat(four).hasSameBinaryContentAs(one);
        }
    }

    @Test
    void slicesThatOverlapAreAllThereToTheNanosecond() throws IOException {
        EventText events = new EventText();
        events.kernel("outer", 1_000, 100, 1, 7);
        events.kernel("inside", 1_010, 20, 2, 7);
        events.kernel("bleeds", 1_050, 80, 3, 7);
        events.kernel("also", 1_060, 75, 4, 7);
        events.kernel("touches", 1_130, 1, 5, 7);
        events.kernel("nothing", 1_131, 0, 6, 7);
        events.kernel("same", 1_131, 5, 7, 7);
        events.kernel("twin", 1_131, 5, 8, 7);
        Trace before = everything(events.toString());
        Trace after = again(events.toString());
        assertThat(tables(after)).isEqualTo(tables(before));
        assertThat(after.slices().size()).isEqualTo(8);
        assertThat(after.tracks()).hasSize(1);
    }

    @Test
    void argumentsKeepTheirTypes() throws IOException {
        String arguments =
                "\"whole\": 12, \"negative\": -3, \"large\": 18446744073709551615, \"huge\": 1e300, \"half\": 0.5,"
                        + " \"yes\": true, \"no\": false, \"nothing\": null, \"text\": \"a \\\"b\\\" \\u00e9\", \"list\":"
                        + " [1, -2, 3], \"deep\": [[1, 2], {\"k\": \"v\"}], \"empty\": [], \"object\": {}, \"looks like\":"
                        + " \"[1, 2]\"";
        Path file = write(List.of(everything(new EventText()
                .complete("cpu_op", "op", "1", "1", 5, 6, arguments)
                .toString())));
        Trace trace = read(file, Keep.EVERYTHING).getFirst();
        var text = java.util.Objects.requireNonNull(trace.recorded()).slices().cursor();
        assertThat(text.move(0)).isTrue();
        assertThat(new String(text.bytes, text.arguments, text.argumentsEnd - text.arguments, StandardCharsets.UTF_8))
                .isEqualTo(
                        "\"whole\":12,\"negative\":-3,\"large\":18446744073709551615,\"huge\":1.0E300,\"half\":0.5,\"yes\":true,\"no\":false,\"nothing\":null,\"text\":\"a"
                                + " \\\"b\\\" \u00e9\",\"list\":[1, -2, 3],\"deep\":[[1, 2], {\"k\":"
                                + " \"v\"}],\"empty\":[],\"object\":{},\"looks like\":\"[1, 2]\"");
    }

    @Test
    void idsThatJoinNothingStayAsTheyAre() throws IOException {
        Path file = write(List.of(everything(new EventText()
                .complete("cpu_op", "op", "1", "1", 5, 6, "\"correlation\": \"none\", \"External id\": [1, 2]")
                .complete("cpu_op", "op", "1", "1", 15, 6, "\"a\": NaN, \"correlation\": {\"b\": 1}")
                .raw("{\"ph\": \"B\", \"name\": \"op\", \"pid\": 1, \"tid\": 1, \"ts\": 30, \"args\":"
                        + " {\"correlation\": 7}}")
                .raw("{\"ph\": \"E\", \"name\": \"op\", \"pid\": 1, \"tid\": 1, \"ts\": 31}")
                .toString())));
        Trace trace = read(file, Keep.EVERYTHING).getFirst();
        var text = java.util.Objects.requireNonNull(trace.recorded()).slices().cursor();
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            assertThat(text.move(i)).isTrue();
            arguments.add(
                    new String(text.bytes, text.arguments, text.argumentsEnd - text.arguments, StandardCharsets.UTF_8));
        }
        assertThat(arguments)
                .containsExactly(
                        "\"correlation\":\"none\",\"External id\":[1, 2]",
                        "\"a\":\"NaN\",\"correlation\":{\"b\": 1}",
                        "\"correlation\":7");
    }

    @Test
    void countersHaveTheirValues() throws IOException {
        Trace trace = again(new EventText()
                .complete("cpu_op", "op", "77", "78", 0, 10, "")
                .raw("{\"ph\": \"C\", \"name\": \"memory\", \"pid\": 77, \"tid\": 78, \"ts\": 0.004, \"args\":"
                        + " {\"used\": 3, \"free\": 2.5}}")
                .toString());
        assertThat(TraceDump.withoutPlaces(trace).lines().filter(l -> l.startsWith("mark")))
                .hasSize(2)
                .allMatch(l -> l.contains("at 4 on 77/"))
                .anyMatch(l -> l.contains("'memory used'"))
                .anyMatch(l -> l.contains("'memory free'"));
    }

    @Test
    void asynchronousSlicesLieOnTracksOfTheirOwn() throws IOException {
        String at = "\"cat\": \"net\", \"pid\": 77, \"tid\": 78, \"ts\": ";
        Trace trace = again(new EventText()
                .complete("cpu_op", "op", "77", "78", 0, 10, "")
                .raw("{\"ph\": \"b\", \"name\": \"first\", \"id\": 1, " + at + "0.001}")
                .raw("{\"ph\": \"b\", \"name\": \"second\", \"id\": \"x\", " + at + "0.002, \"args\": {\"stream\": 3}}")
                .raw("{\"ph\": \"b\", \"name\": \"inside\", \"id\": 1, " + at + "0.003}")
                .raw("{\"ph\": \"e\", \"name\": \"inside\", \"id\": 1, " + at + "0.005}")
                .raw("{\"ph\": \"e\", \"name\": \"second\", \"id\": \"x\", " + at + "0.008}")
                .raw("{\"ph\": \"e\", \"name\": \"first\", \"id\": 1, " + at + "0.009}")
                .raw("{\"ph\": \"b\", \"name\": \"endless\", \"id\": 2, " + at + "0.009}")
                .toString());
        assertThat(TraceDump.slices(trace))
                .extracting(l -> l.replaceAll("slice (\\S+) \\S+ ('\\w+') .* on 77/(\\w+).*", "$1 $2 $3"))
                .containsExactly("0+10 'op' 78", "1+8 'first' first", "2+6 'second' second", "3+2 'inside' first");
        assertThat(TraceDump.withoutPlaces(trace).lines().filter(l -> l.startsWith("mark")))
                .singleElement()
                .asString()
                .contains("'endless'");
    }

    @Test
    void aFileThatWasCutBetweenPacketsIsNoticed() throws IOException {
        byte[] json = SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0);
        Path whole = write(List.of(TestTraces.read(json, 1, Keep.EVERYTHING)));
        byte[] content = Files.readAllBytes(whole);
        int at = 1;
        int length = 0;
        for (int shift = 0; shift == 0 || content[at - 1] < 0; shift += 7) {
            length |= (content[at++] & 0x7F) << shift;
        }
        Path cut = Files.write(folder.resolve("cut.pftrace"), Arrays.copyOf(content, at + length));
        Trace trace = read(cut, Keep.MEANING).getFirst();
        assertThat(trace.diagnostics().problems())
                .singleElement()
                .satisfies(e -> assertThat(e.code()).isEqualTo("truncated"));
    }

    @Test
    void aFileThatWasCutInsideAPacketIsUsedUpToThere() throws IOException {
        byte[] json = SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0);
        Trace before = TestTraces.read(json, 1, Keep.EVERYTHING);
        byte[] content = Files.readAllBytes(write(List.of(before)));
        Path cut = Files.write(folder.resolve("cut.pftrace"), Arrays.copyOf(content, content.length / 2));
        Trace trace = read(cut, Keep.MEANING).getFirst();
        assertThat(trace.diagnostics().hasLoss()).isTrue();
        assertThat(trace.slices().size())
                .isBetween(before.slices().size() / 8, before.slices().size() - 1);
    }

    @Test
    void theFileIsManyTimesSmaller() throws IOException {
        byte[] json = SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0);
        Path file = write(List.of(TestTraces.read(json, 1, Keep.EVERYTHING)));
        assertThat(Files.size(file) * 6).isLessThan(json.length);
    }
}
