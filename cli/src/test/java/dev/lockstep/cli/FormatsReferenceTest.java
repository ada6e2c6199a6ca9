// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.OtherFormats;
import dev.lockstep.session.Builtins;
import dev.lockstep.session.TraceFormats;
import dev.lockstep.timeline.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/formats.md}, and the list that the script {@code lockstep} sizes the heap by, are what readers and
 * writers say of their formats. After a change, rewrite them with {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class FormatsReferenceTest {
    private static final String REFERENCE = "docs/reference/formats.md";

    private static final String HEAD = """
            # Formats of traces

            Generated from readers and writers; do not edit. What a file is, its content tells, whatever its name; in folders, files with these endings are
            taken for traces. `.gz`, `.zst` and `.zip` are packed with gzip, zstd or zip.

            | Format | | Endings | If it cannot be read |
            |---|---|---|---|
            """;

    private static final String OTHERS = """

            ## Files that are named, not read

            Commands say what such a file is. In the folder of a run, a recording that cannot be read keeps its place, and is named.

            | File | What to do |
            |---|---|
            """;

    @Test
    void referenceIsWhatReadersAndWritersSay() throws IOException {
        List<TraceFormat> read = new TraceFormats().all();
        StringBuilder text = new StringBuilder(HEAD);
        for (TraceFormat format : read) {
            boolean written = Builtins.TRACE_WRITERS.stream()
                    .anyMatch(writer -> writer.format().equals(format));
            text.append(row(format, written ? "read and written" : "read", format.allEndings()));
        }
        for (TraceWriter writer : Builtins.TRACE_WRITERS) {
            if (!read.contains(writer.format())) {
                text.append(row(writer.format(), "written", writer.endings()));
            }
        }
        text.append(OTHERS);
        OtherFormats.all()
                .forEach(other -> text.append("| ")
                        .append(other.title())
                        .append(" | ")
                        .append(other.hint())
                        .append(" |\n"));
        TableReference.demand(REFERENCE, text.toString(), List.of());
    }

    @Test
    void theScriptKnowsAllEndingsAndWhatTheirBytesStandFor() throws IOException {
        Map<String, Integer> endings = new TreeMap<>();
        for (TraceFormat format : new TraceFormats().all()) {
            for (String ending : format.endings()) {
                Integer other = endings.put(ending, format.expansion());
                assertThat(other).as(ending).isIn(null, format.expansion());
            }
            if (format.packable()) {
                for (Packing packing : Packing.values()) {
                    endings.put(packing.ending(), Packing.EXPANSION);
                }
            }
        }
        StringBuilder text =
                new StringBuilder("# Endings of traces, and unpacked bytes for a byte. Generated; do not edit.\n");
        endings.forEach(
                (ending, bytes) -> text.append(ending).append(' ').append(bytes).append('\n'));
        TableReference.demand("config/trace-endings", text.toString(), List.of());
    }

    private static String row(TraceFormat format, String how, List<String> endings) throws IOException {
        return "| [" + format.title() + "](formats/" + page(format) + ") `" + format.id() + "` | " + how + " | `"
                + String.join("` `", endings) + "` | " + format.hint() + " |\n";
    }

    /** The page whose heading names the format. */
    private static String page(TraceFormat format) throws IOException {
        try (Stream<Path> pages = Files.list(Documents.ROOT.resolve("docs/reference/formats"))) {
            List<String> found = pages.map(page -> String.valueOf(page.getFileName()))
                    .filter(page -> Documents.read("docs/reference/formats/" + page)
                            .lines()
                            .findFirst()
                            .orElse("")
                            .contains("(`" + format.id() + "`)"))
                    .toList();
            assertThat(found).as("pages on " + format.id()).hasSize(1);
            return found.getFirst();
        }
    }
}
