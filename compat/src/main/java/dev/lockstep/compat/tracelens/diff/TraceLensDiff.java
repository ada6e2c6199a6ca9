// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.reporting.DifferenceDialect.Difference;
import dev.lockstep.table.Table;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The difference of two traces as TraceLens's TraceDiff shows it: sheets {@code diff_stats} and
 * {@code diff_stats_unique_args_summary}, the merged tree as text, and maps from operators to kernels as JSON.
 */
public final class TraceLensDiff implements Difference {

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
        try (Writer out = NamedFiles.writer(file)) {
            JsonOut.indented(map, out);
        }
    }

    private void ofBoth(Path file, Map<String, OpMaps.Entry[]> map) throws IOException {
        JsonObject json = new JsonObject();
        map.forEach((name, traces) -> json.with(name, ofBoth(traces)));
        try (Writer out = NamedFiles.writer(file)) {
            JsonOut.indented(json, out);
        }
    }

    private JsonObject ofBoth(OpMaps.Entry[] traces) {
        JsonObject json = new JsonObject();
        for (int trace = 0; trace < 2; trace++) {
            if (traces[trace] != null && !identical) {
                json.with("trace" + (trace + 1), entry(traces[trace], new JsonObject()));
            } else if (traces[trace] != null && trace == 0) {
                entry(traces[trace], json);
            }
        }
        return json;
    }

    private static JsonObject entry(OpMaps.Entry entry, JsonObject into) {
        return into.with("kernels", entry.kernels()).with("nn_module_parents", entry.modules());
    }
}
