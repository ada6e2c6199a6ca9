// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceDump;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of several blocks: the cuts between blocks are guesses, and no guess may change what is read. */
class ChunkBoundariesTest {
    private static final int BLOCK = ChunkReader.BLOCK;

    /** Texts that look like the boundary between two events, inside of strings and of arguments. */
    private static final String[] TRAPS = {
        "\"x\": \"},{\\\"ph\\\": \\\"X\\\", \"",
        "\"x\": \"}, {'ph': 1\"",
        "\"x\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}, {\"ph\": \"X\", \"name\": \"inner\", \"ts\": 1, \"dur\": 1}]",
        "\"x\": {\"ph\": [1, {\"name\": 2}, {\"args\": []}]}",
        "\"x\": \"]}]}\"",
        "\"x\": \"\\\\\""
    };

    /** A cut inside of an event must not be taken for damage, so nothing inside may look like an event by itself. */
    private static final String[] STRING_TRAPS = {TRAPS[0], TRAPS[1], TRAPS[4], TRAPS[5]};

    private final StringBuilder text = new StringBuilder("{\"traceEvents\": [\n");
    private int events;

    private void event(int number, String args) {
        text.append(events++ == 0 ? "" : ",\n")
                .append("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"n")
                .append(number % 50)
                .append("\", \"pid\": 1, \"tid\": 1, \"ts\": ")
                .append(number)
                .append(", \"dur\": 1, \"args\": {")
                .append(args)
                .append("}}");
    }

    private Trace check() throws IOException {
        byte[] content = (text + "\n], \"after\": {\"ph\": [{\"ph\": 1}]}}").getBytes(UTF_8);
        Trace one = TestTraces.read(content, 1);
        assertThat(one.diagnostics().problems()).isEmpty();
        assertThat(one.slices().size()).isEqualTo(events);
        for (int i = 0; i < events; i++) {
            assertThat(one.slices().index(i)).isEqualTo(i);
        }
        String dump = TraceDump.of(one);
        for (int threads : new int[] {2, 8}) {
            assertThat(TraceDump.of(TestTraces.read(content, threads)).equals(dump))
                    .as("%d threads", threads)
                    .isTrue();
        }
        return one;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void trapsDoNotChangeWhatIsRead(long seed) throws IOException {
        Random random = new Random(seed);
        while (text.length() < 3 * BLOCK) {
            String args = TRAPS[random.nextInt(TRAPS.length)];
            if (random.nextInt(3000) == 0) {
                args += ", \"long\": \""
                        + TRAPS[1].repeat(random.nextInt(40_000)).replace("\"", "\\\"") + '"';
            }
            event(events, args);
        }
        check();
    }

    @Test
    void eventsLargerThanABlockAreWhole() throws IOException {
        event(0, "\"x\": 1");
        event(1, "\"Input Dims\": [" + "[1, 2], ".repeat(BLOCK / 3) + "[]]");
        event(2, "\"x\": \"" + "},{\\\"ph\\\":".repeat(BLOCK / 4) + "\"");
        event(3, "\"x\": [" + "{\"ph\": \"X\"}, ".repeat(BLOCK / 6) + "1]");
        event(4, "\"x\": 1");
        check();
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, -2, -1, 0, 1, 2, 3})
    void anEventMayEndAnywhereAroundTheEndOfABlock(int shift) throws IOException {
        event(0, "\"x\": 1");
        String padding = "p".repeat(BLOCK);
        event(1, "\"x\": \"" + padding.substring(text.length() + 200) + '"');
        int missing = BLOCK + shift - text.length();
        text.insert(text.length() - 3, "p".repeat(missing));
        assertThat(text.length()).isEqualTo(BLOCK + shift);
        for (int block = 2; block < 4; block++) {
            event(events, "\"x\": 2");
            event(events, "\"x\": \"" + padding + '"');
        }
        event(events, "\"x\": 3");
        check();
    }

    @Test
    void metadataMayBeLargerThanABlock() throws IOException {
        text.setLength(0);
        text.append("{\"before\": [")
                .append("{\"ph\": \"X\", \"ts\": 1},\n".repeat(BLOCK / 10))
                .append("{}],\n\"traceEvents\": [");
        for (int i = 0; i < 20_000; i++) {
            event(i, TRAPS[i % TRAPS.length]);
        }
        check();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 5})
    void aCutInALargeFileIsFoundByAnyNumberOfThreads(long seed) throws IOException {
        Random random = new Random(seed);
        while (text.length() < 2 * BLOCK) {
            event(events, STRING_TRAPS[random.nextInt(STRING_TRAPS.length)]);
        }
        byte[] content = text.toString().getBytes(UTF_8);
        for (int round = 0; round < 5; round++) {
            byte[] cut = Arrays.copyOf(content, BLOCK / 2 + random.nextInt(content.length - BLOCK / 2));
            Trace one = TestTraces.read(cut, 1);
            assertThat(one.diagnostics().problems()).hasSize(1);
            assertThat(one.diagnostics().problems().getFirst().code()).isEqualTo("truncated");
            assertThat(TraceDump.of(TestTraces.read(cut, 4)).equals(TraceDump.of(one)))
                    .isTrue();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {6, 7})
    void damageInALargeFileIsReadAlikeByAnyNumberOfThreads(long seed) throws IOException {
        Random random = new Random(seed);
        while (text.length() < 2 * BLOCK + BLOCK / 2) {
            event(events, STRING_TRAPS[random.nextInt(STRING_TRAPS.length)]);
        }
        byte[] content = (text + "\n]}").getBytes(UTF_8);
        for (int i = 0; i < 200; i++) {
            content[random.nextInt(content.length)] = (byte) "{[,:\"\\x".charAt(random.nextInt(7));
        }
        Trace one = TestTraces.read(content, 1);
        assertThat(one.slices().size()).as("%s", one.diagnostics().problems()).isGreaterThan(events * 9 / 10);
        assertThat(TraceDump.of(TestTraces.read(content, 4)).equals(TraceDump.of(one)))
                .isTrue();
    }

    /** Each block has texts, threads, categories, arguments and damage of its own, some of which come again later. */
    @Test
    void whatWasLearntOfOneBlockChangesNothingInOthers() throws IOException {
        Random random = new Random(5);
        while (text.length() < 9 * BLOCK) {
            int block = text.length() / BLOCK;
            int own = random.nextInt(block + 1);
            String thread = "\"pid\": " + own % 3 + ", \"tid\": \"t" + own + "\", \"ts\": " + events;
            String name = "\"name\": \"n" + own + '_' + random.nextInt(20) + "\", ";
            switch (random.nextInt(8)) {
                case 0 -> event(events, "\"Input Dims\": [[" + own + ", " + random.nextInt(3) + "]]");
                case 1 ->
                    any("\"ph\": \"X\", \"cat\": \"kernel\", " + name + thread + ", \"dur\": 2.5, \"args\":"
                            + " {\"stream\": 7, \"correlation\": " + events + ", \"w" + own + "\": \"v" + own + "\"}");
                case 2 -> any("\"ph\": \"i\", \"s\": \"t\", " + name + thread + ", \"args\": {\"Addr\": " + own + '}');
                case 3 -> any("\"ph\": \"s\", \"cat\": \"ac2g\", \"id\": " + events + ", " + name + thread);
                case 4 -> any("\"ph\": \"B\", " + name + thread + ", \"odd" + own + "\": true");
                case 5 -> any("\"ph\": \"E\", " + thread);
                case 6 -> any("\"ph\": \"X\", \"cat\": \"c" + own + "\", " + name + thread + ", \"dur\": -1");
                default ->
                    any("\"ph\": \"M\", \"name\": \"thread_name\", " + thread + ", \"args\": {\"name\": \"x"
                            + random.nextInt(1000) + "\"}");
            }
        }
        byte[] content = (text + "\n]}").getBytes(UTF_8);
        Trace one = TestTraces.read(content, 1, Keep.EVERYTHING);
        assertThat(one.slices().size()).isGreaterThan(events / 4);
        assertThat(one.diagnostics().problems()).isNotEmpty();
        for (int threads : new int[] {2, 3, 8}) {
            Trace other = TestTraces.read(content, threads, Keep.EVERYTHING);
            assertThat(TraceDump.of(other).equals(TraceDump.of(one)))
                    .as("%d threads", threads)
                    .isTrue();
            assertThat(texts(other)).isEqualTo(texts(one));
            assertThat(other.tracks()).isEqualTo(one.tracks());
            assertThat(other.counts().bytesByCategory()).isEqualTo(one.counts().bytesByCategory());
            assertThat(other.diagnostics().problems())
                    .isEqualTo(one.diagnostics().problems());
        }
    }

    private void any(String fields) {
        text.append(events++ == 0 ? "{" : ",\n{").append(fields).append('}');
    }

    private static List<String> texts(Trace trace) {
        return IntStream.range(0, trace.strings().size())
                .mapToObj(trace.strings()::get)
                .toList();
    }
}
