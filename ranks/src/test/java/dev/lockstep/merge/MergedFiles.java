// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.timeline.ChromeJsonWriter;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Merges documents that stand in a test. */
public final class MergedFiles {
    private MergedFiles() {}

    /** What a merge gave. */
    record Merged(byte[] content, MergeSummary summary) {
        String text() {
            return new String(content, StandardCharsets.UTF_8);
        }

        /** Lines that hold all of these. */
        List<String> lines(String... parts) {
            return text().lines()
                    .filter(line -> List.of(parts).stream().allMatch(line::contains))
                    .toList();
        }
    }

    /** A document of one rank. */
    static String rank(int rank, int ranks, String events) {
        return TestTraces.document(events)
                .replaceFirst(
                        "\\{",
                        "{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": " + ranks + "},\"own\": \"r"
                                + rank + "\",");
    }

    static Merged merge(List<String> documents) throws IOException {
        return merge(documents, MergeOptions.standard());
    }

    static Merged merge(List<String> documents, MergeOptions options) throws IOException {
        List<byte[]> contents = documents.stream()
                .map(document -> document.getBytes(StandardCharsets.UTF_8))
                .toList();
        return merge(contents, options, false, 1);
    }

    static Merged merge(List<byte[]> documents, MergeOptions options, boolean packed, int threads) throws IOException {
        Path file = Files.createTempFile("merged", ".json");
        try (Session session = new Session(threads)) {
            MergeSummary summary;
            try (TimelineOutput output =
                    new ChromeJsonWriter().open(file, new TraceWriter.Options(packed, session.pool(), threads))) {
                TimelineMerge merge = new TimelineMerge(output, options, Alignment.none());
                for (byte[] document : documents) {
                    merge.add(TestTraces.read(document, threads, Keep.EVERYTHING));
                }
                summary = merge.finish();
            }
            return new Merged(Files.readAllBytes(file), summary);
        } finally {
            Files.delete(file);
        }
    }

    /** A trace that keeps everything, written as a merge of it alone and read again. */
    public static Trace written(Trace trace, TraceWriter writer) throws IOException {
        Path file = Files.createTempFile("merged", ".trace");
        try (Session session = new Session(1)) {
            try (TimelineOutput output = writer.open(file, new TraceWriter.Options(false, session.pool(), 1))) {
                TimelineMerge merge = new TimelineMerge(output, MergeOptions.standard(), Alignment.none());
                merge.add(trace);
                merge.finish();
            }
            return read(Files.readAllBytes(file)).getFirst();
        } finally {
            Files.delete(file);
        }
    }

    /** The ranks in a merged file. */
    static List<Trace> read(byte[] content) throws IOException {
        Path file = Files.createTempFile("merged", ".json");
        try (Session session = new Session(1)) {
            Files.write(file, content);
            return new ArrayList<>(session.read(TraceInput.of(file), bytes -> {}, Keep.EVERYTHING));
        } finally {
            Files.delete(file);
        }
    }
}
