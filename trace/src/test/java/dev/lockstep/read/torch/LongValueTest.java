// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A value of which a packed file can hold more than fits into memory costs itself, once, and no more. */
class LongValueTest {
    private static final int AROUND = 20;

    /** What the program has that reads them, in MiB; each value takes more. */
    private static final int HEAP = 64;

    /** A value that goes on: what stands before, what is repeated, what stands after. */
    private static final List<List<String>> VALUES = List.of(
            List.of("{\"ph\":\"X\",\"dur\":1,\"name\":\"", "x", "\",\"ts\":5}"),
            List.of("{\"ph\":\"X\",\"dur\":1,\"name\":\"n\",\"ts\":", "1", "}"),
            List.of("{\"ph\":\"X\",\"dur\":1,\"ts\":4,\"args\":{\"a\":", "[", "}}"),
            List.of("{\"", "k", "\":1}"));

    @Test
    void theyAreSkippedAndCounted() throws Exception {
        Process reading = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP + "m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LongValueTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(reading.getInputStream().readAllBytes(), UTF_8);

        assertThat(reading.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .hasSameSizeAs(VALUES)
                .allSatisfy(line -> assertThat(line)
                        .startsWith(2 * AROUND + " slices, 1 problem: syntax, 1 times, ")
                        .containsPattern("more than [678] MiB")); // an eighth of the heap
    }

    /** Reads each and prints a line of what came of it. */
    public static void main(String[] none) throws IOException {
        for (List<String> value : VALUES) {
            Trace trace = TestTraces.read(packed(value.get(0), value.get(1), value.get(2)), 3);
            List<Entry> problems = trace.diagnostics().problems();
            Entry first = problems.getFirst();
            System.out.printf(
                    "%d slices, %d problem: %s, %d times, %s%n",
                    trace.slices().size(), problems.size(), first.code(), first.count(), first.message());
        }
    }

    private static byte[] packed(String before, String repeated, String after) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] block = repeated.repeat(1 << 20).getBytes(UTF_8);
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(("{\"traceEvents\":[" + events(0) + "," + before).getBytes(UTF_8));
            for (int written = 0; written <= HEAP; written++) {
                out.write(block);
            }
            out.write((after + "," + events(AROUND) + "]}").getBytes(UTF_8));
        }
        return packed.toByteArray();
    }

    private static String events(int from) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < from + AROUND; i++) {
            text.append(i == from ? "" : ",")
                    .append("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":" + (10 + i)
                            + ",\"dur\":1,\"args\":{}}");
        }
        return text.toString();
    }
}
