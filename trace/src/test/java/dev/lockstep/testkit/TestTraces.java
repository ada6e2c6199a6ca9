// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Traces for tests, read by the program's own reader from text that stands in the test. */
public final class TestTraces {
    private TestTraces() {}

    /** A document with these events; a comma behind the last is cut off. */
    public static String document(String events) {
        String list = events.strip();
        list = list.endsWith(",") ? list.substring(0, list.length() - 1) : list;
        return "{\"traceEvents\": [\n" + list + "\n]}\n";
    }

    /** The trace of these events, which must be sound. */
    public static Trace of(String events) {
        Trace trace = parse(document(events));
        assertThat(trace.diagnostics().problems()).isEmpty();
        return trace;
    }

    /** The trace of these events, which must be sound. */
    public static Trace of(EventText events) {
        return of(events.toString());
    }

    /** The trace in this document. */
    public static Trace parse(String document) {
        try {
            return read(document.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The trace in a file with this content. */
    public static Trace read(byte[] content) throws IOException {
        return read(content, 1);
    }

    /** The trace in a file with this content, read by a number of threads. */
    public static Trace read(byte[] content, int threads) throws IOException {
        return read(content, threads, ReadOptions.Keep.MEANING);
    }

    /** The trace in a file with this content, read by a number of threads. */
    public static Trace read(byte[] content, int threads, ReadOptions.Keep keep) throws IOException {
        Path file = Files.createTempFile("trace", ".json");
        try (Session session = new Session(threads)) {
            Files.write(file, content);
            List<Trace> traces = session.read(new TraceInput("trace.json", file), bytes -> {}, keep);
            assertThat(traces).hasSize(1);
            return traces.getFirst();
        } finally {
            Files.delete(file);
        }
    }

    /** The row of the only slice of this name. */
    public static int slice(Trace trace, String name) {
        int found = -1;
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.name(i).equals(name)) {
                assertThat(found).as("slices named " + name).isEqualTo(-1);
                found = i;
            }
        }
        assertThat(found).as("slice named " + name).isNotEqualTo(-1);
        return found;
    }

    /** The name of a slice, {@code "-"} for -1. */
    public static String name(Trace trace, int slice) {
        return slice < 0 ? "-" : trace.name(slice);
    }
}
