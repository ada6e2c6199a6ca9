// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every reader of traces must do. A test of a reader extends this and gives the reader and small samples. */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class TraceReaderContract {
    private static final int MUTATIONS = 1500;
    private static final int MUTATIONS_OF_PACKED = 250;

    /** Reads bytes in one way or another. */
    private interface Reading {
        List<Trace> read(byte[] content) throws IOException;
    }

    /**
     * A sound file.
     *
     * @param name for the test report
     * @param content the bytes
     * @param eventEnds the place behind each event, for formats whose files can be cut; empty for others
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Sample(String name, byte[] content, int[] eventEnds) {
        @Override
        public String toString() {
            return name;
        }
    }

    @TempDir
    private Path folder = Path.of("");

    /** The reader under test. */
    protected abstract TraceReader reader();

    /** Small sound files, with everything that the format knows. */
    protected abstract List<Sample> samples();

    /** What traces that were read may say of their format. */
    protected List<String> formats() {
        return List.of(reader().format().id());
    }

    /** Contents that the reader must not take for its own. */
    protected List<byte[]> strangers() {
        return List.of(
                new byte[0],
                "  \n ".getBytes(UTF_8),
                "hello, world".getBytes(UTF_8),
                "<!DOCTYPE html><html></html>".getBytes(UTF_8),
                new byte[] {0x1F, (byte) 0x8B, 8, 0},
                new byte[] {0, 1, 2, 3, (byte) 0xFF});
    }

    @Test
    void formatSaysWhatItsFilesAreCalled() {
        TraceFormat format = reader().format();
        assertThat(format.id()).matches("[a-z][a-z0-9-]*");
        assertThat(format.endings()).isNotEmpty().allMatch(ending -> ending.matches("\\.[a-z0-9.-]+"));
        assertThat(format.title()).isNotBlank();
        assertThat(format.hint()).endsWith(".");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void recognisesItsOwn(Sample sample) {
        assertThat(reader().recognises(head(sample.content))).isTrue();
    }

    @Test
    void leavesStrangersAlone() {
        for (byte[] stranger : strangers()) {
            assertThat(reader().recognises(stranger))
                    .as(Arrays.toString(stranger))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void readsSoundFilesWithoutProblems(Sample sample) throws IOException {
        List<Trace> traces = read(sample.content, 1);
        assertThat(traces).isNotEmpty();
        for (Trace trace : traces) {
            assertThat(trace.diagnostics().problems()).isEmpty();
            assertThat(trace.counts().events()).isPositive();
            assertThat(trace.info().format()).isIn(formats());
            assertThat(trace.info().source()).isEqualTo("the file.json");
        }
    }

    @ParameterizedTest
    @EnumSource(Packing.class)
    void packingMakesNoDifference(Packing packing) throws IOException {
        for (Sample sample : samples()) {
            assertThat(dump(readFile(packing.pack(sample.content), 2)))
                    .as(sample.name)
                    .isEqualTo(dump(read(sample.content, 1)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void numberOfThreadsMakesNoDifference(int threads) throws IOException {
        for (Sample sample : samples()) {
            assertThat(dump(read(sample.content, threads))).as(sample.name).isEqualTo(dump(read(sample.content, 1)));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyWholeEventBeforeACutIsUsed(Sample sample) throws IOException {
        List<String> whole = sample.eventEnds.length == 0
                ? List.of()
                : TraceDump.slices(read(sample.content, 1).getFirst());
        for (int cut = sample.eventEnds.length == 0 ? sample.content.length : sample.eventEnds[0];
                cut < sample.content.length;
                cut++) {
            Trace trace = read(Arrays.copyOf(sample.content, cut), 1).getFirst();
            int until = cut;
            long wanted =
                    Arrays.stream(sample.eventEnds).filter(end -> end <= until).count();
            assertThat(trace.counts().events())
                    .as("events of the file cut at %d", cut)
                    .isEqualTo(wanted);
            assertThat(withoutTrackNames(whole)).containsAll(withoutTrackNames(TraceDump.slices(trace)));
            if (sound(sample.content, cut)) {
                assertThat(trace.diagnostics().hasLoss())
                        .as("loss when cut at %d", cut)
                        .isTrue();
                assertThat(trace.diagnostics().problems())
                        .anyMatch(e -> e.code().equals("truncated"));
            }
        }
    }

    /** Whether a cut there is certainly a loss; formats may have places where a file may end. */
    protected boolean sound(byte[] content, int cut) {
        return true;
    }

    /** Names of tracks may stand behind a cut. */
    private static List<String> withoutTrackNames(List<String> slices) {
        return slices.stream()
                .map(s -> s.replaceAll("\\([^)]*\\) corr", " corr"))
                .toList();
    }

    @Test
    void anEmptyFileIsRefusedByName() {
        assertThatThrownBy(() -> read(new byte[0], 1))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("the file.json")
                .hasMessageContaining("empty");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void damageEndsInATraceOrInAnErrorThatNamesTheFile(Sample sample) {
        survives(Mutations.random(sample.content, 1, MUTATIONS), m -> read(m, 1));
    }

    @ParameterizedTest
    @EnumSource(value = Packing.class, names = "PLAIN", mode = EnumSource.Mode.EXCLUDE)
    void damageOfPackedFilesEndsInATraceOrInAnErrorThatNamesTheFile(Packing packing) {
        byte[] packed = packing.pack(samples().getFirst().content);
        survives(Mutations.random(packed, 2, MUTATIONS_OF_PACKED), m -> readFile(m, 1));
        Stream<Mutations.Mutation> cuts = Mutations.truncations(packed);
        survives(cuts.filter(m -> m.content().length % 5 == 0), m -> readFile(m, 1));
    }

    private void survives(Stream<Mutations.Mutation> mutations, Reading reading) {
        Assertions.assertTimeoutPreemptively(
                Duration.ofMinutes(10), () -> mutations.forEach(mutation -> survives(mutation, reading)));
    }

    private void survives(Mutations.Mutation mutation, Reading reading) {
        try {
            reading.read(mutation.content()).forEach(afterDamage());
        } catch (TraceFormatException e) {
            assertThat(e).as(mutation.name()).hasMessageContaining("the file.json");
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            throw new AssertionError(mutation.name(), e);
        }
    }

    /** What is done with each trace that comes out of a damaged file. */
    protected Consumer<Trace> afterDamage() {
        return trace -> assertThat(trace.counts().events()).isNotNegative();
    }

    /** Reads this content from memory. */
    protected final List<Trace> read(byte[] content, int threads) throws IOException {
        int head = Math.min(content.length, TraceInput.HEAD);
        InputStream rest = new ByteArrayInputStream(content, head, content.length - head);
        PrefixedSource source = new PrefixedSource(Arrays.copyOf(content, head), new StreamSource(rest));
        return read(new TraceInput("the file.json", folder), source, new Diagnostics(), threads);
    }

    /** Reads a file with this content, which may be packed. */
    private List<Trace> readFile(byte[] content, int threads) throws IOException {
        Path file = folder.resolve("file.json");
        Files.write(file, content);
        TraceInput input = new TraceInput("the file.json", file);
        Diagnostics diagnostics = new Diagnostics();
        PrefixedSource source = input.open(diagnostics);
        return read(input, source, diagnostics, threads);
    }

    private List<Trace> read(TraceInput input, PrefixedSource opened, Diagnostics diagnostics, int threads)
            throws IOException {
        try (PrefixedSource source = opened) {
            if (threads == 1) {
                return reader().read(input, source, diagnostics, ReadOptions.sequential());
            }
            try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
                return reader().read(input, source, diagnostics, new ReadOptions(pool, threads, bytes -> {}));
            }
        }
    }

    private static byte[] head(byte[] content) {
        return Arrays.copyOf(content, Math.min(content.length, TraceInput.HEAD));
    }

    private static String dump(List<Trace> traces) {
        return String.join("\n\n", traces.stream().map(TraceDump::of).toList());
    }
}
