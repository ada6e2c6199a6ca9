// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.reporting.DifferenceDialect.Difference;
import dev.lockstep.table.Table;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The difference of two traces as TraceLens's TraceDiff shows it: sheets {@code diff_stats} and
 * {@code diff_stats_unique_args_summary}, the merged tree as text, and maps from operators to kernels as JSON.
 */
public final class TraceLensDiff implements Difference {
    private static final JsonFactory JSON = new JsonFactory();

    private final MergedTree tree;
    private final List<DiffStats.Row> rows;
    private final boolean identical;
    private final String source;

    private TraceLensDiff(DerivedCache one, DerivedCache two, boolean python) {
        tree = DiffStats.merge(one, two, python);
        rows = DiffStats.of(tree);
        identical = DiffStats.areIdentical(rows);
        source = one.trace().info().source() + " | " + two.trace().info().source();
    }

    /**
     * Compares two traces.
     *
     * @param one the tool's trace 1
     * @param two its trace 2
     * @param python whether frames of Python are nodes of the trees
     */
    public static TraceLensDiff of(DerivedCache one, DerivedCache two, boolean python) {
        return new TraceLensDiff(one, two, python);
    }

    /** The two sheets. */
    @Override
    public Report report() {
        return new Report(
                "TraceLens trace diff",
                source,
                List.of(new TableSection(stats()), new TableSection(summary(renamed()))));
    }

    /** The sheet of single activities. */
    public Table stats() {
        return DiffSheets.stats(rows, identical);
    }

    /** Whether neither trace has device work in its tree. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** What the diff says about rows of other sheets. */
    public LaunchComparison comparison() {
        return new LaunchComparison(rows);
    }

    /** Writes {@code merged_tree_output.txt} and the three {@code cpu_op_map*.json} into a directory. */
    @Override
    public void writeFiles(Path directory) throws IOException {
        try (BufferedWriter out = NamedFiles.writer(directory.resolve("merged_tree_output.txt"))) {
            new MergedTreeText(tree).write(out);
        }
        List<DiffSummary.Group> groups = DiffSummary.of(rows);
        ofTrace(directory.resolve("cpu_op_map_trace1.json"), OpMaps.ofTrace(groups, false));
        ofTrace(directory.resolve("cpu_op_map_trace2.json"), OpMaps.ofTrace(groups, true));
        ofBoth(directory.resolve("cpu_op_map.json"), OpMaps.ofBoth(renamed()));
    }

    private List<DiffSummary.Group> renamed() {
        return OpMaps.renamed(DiffSummary.of(rows), rows);
    }

    private Table summary(List<DiffSummary.Group> groups) {
        return DiffSheets.summary(groups, identical);
    }

    private static void ofTrace(Path file, Map<String, Set<String>> map) throws IOException {
        try (OutputStream bytes = NamedFiles.out(file);
                JsonGenerator out = generator(bytes)) {
            out.writeStartObject();
            for (Map.Entry<String, Set<String>> entry : map.entrySet()) {
                texts(entry.getKey(), entry.getValue(), out);
            }
            out.writeEndObject();
        }
    }

    private void ofBoth(Path file, Map<String, OpMaps.Entry[]> map) throws IOException {
        try (OutputStream bytes = NamedFiles.out(file);
                JsonGenerator out = generator(bytes)) {
            out.writeStartObject();
            for (Map.Entry<String, OpMaps.Entry[]> entry : map.entrySet()) {
                out.writeObjectFieldStart(entry.getKey());
                OpMaps.Entry[] traces = entry.getValue();
                for (int trace = 0; trace < 2; trace++) {
                    if (traces[trace] != null && !identical) {
                        out.writeObjectFieldStart("trace" + (trace + 1));
                        entry(traces[trace], out);
                        out.writeEndObject();
                    } else if (traces[trace] != null && trace == 0) {
                        entry(traces[trace], out);
                    }
                }
                out.writeEndObject();
            }
            out.writeEndObject();
        }
    }

    private static void entry(OpMaps.Entry entry, JsonGenerator out) throws IOException {
        texts("kernels", entry.kernels(), out);
        texts("nn_module_parents", entry.modules(), out);
    }

    private static void texts(String field, Set<String> texts, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(field);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }

    private static JsonGenerator generator(OutputStream bytes) throws IOException {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        return JSON.createGenerator(bytes)
                .setPrettyPrinter(new DefaultPrettyPrinter(Separators.createDefaultInstance()
                                .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                        .withObjectIndenter(lines)
                        .withArrayIndenter(lines));
    }
}
