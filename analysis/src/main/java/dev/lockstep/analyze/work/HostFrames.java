// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frames of Python by name. Self time is the duration without the frames, operators and calls inside; of a frame inside of
 * one of the same name the total counts once.
 *
 * @param rules definitions
 */
public record HostFrames(AnalysisRules rules) implements Analysis<HostFrames.Result> {
    /** Frames of one name; times in ns. */
    public record Row(String name, long count, long self, long total, long longest) {}

    /** By self time, longest first. */
    public record Result(List<Row> rows, RecordingTool recorder) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "frames of Python were not recorded" + recorder.torch("with_stack=True") : null;
        }
    }

    @Override
    public String id() {
        return "host_frames";
    }

    @Override
    public Result run(DerivedCache cache) {
        Slices slices = cache.trace().slices();
        CallTree tree = cache.get(rules.withPython(true).tree());
        long[] inner = HostSummary.inner(slices, tree);
        int names = cache.trace().strings().size();
        long[][] sums = new long[names][];
        OutermostCalls outermost = new OutermostCalls(tree);
        for (int i = 0; i < tree.size(); i++) {
            int frame = tree.node(i);
            if (slices.kind(frame) != SliceKind.PYTHON) {
                continue;
            }
            int name = slices.name(frame);
            if (sums[name] == null) {
                sums[name] = new long[4];
            }
            long[] sum = sums[name];
            sum[0]++;
            sum[1] += Math.max(0, slices.dur(frame) - inner[frame]);
            sum[2] += outermost.isOne(frame, name) ? slices.dur(frame) : 0;
            sum[3] = Math.max(sum[3], slices.dur(frame));
        }
        List<Row> rows = new ArrayList<>();
        for (int name = 0; name < names; name++) {
            long[] sum = sums[name];
            if (sum != null) {
                rows.add(new Row(cache.trace().strings().get(name), sum[0], sum[1], sum[2], sum[3]));
            }
        }
        rows.sort(Comparator.comparingLong(Row::self).reversed().thenComparing(Row::name));
        return new Result(rows, cache.get(new RecordingTool.Key()));
    }

    private static Table sheet(List<Row> rows) {
        long all = rows.stream().mapToLong(Row::self).sum();
        return new Fields<Row>()
                .add(ColumnSpec.text("name", "File, line and function."), Row::name)
                .add(ColumnSpec.count("count", "Number of calls."), Row::count)
                .add(
                        millis(
                                ColumnNames.SELF_TIME_MS,
                                "Duration without the frames, operators and calls inside, summed over the calls."),
                        Row::self)
                .add(
                        millis(
                                ColumnNames.TOTAL_TIME_MS,
                                "Duration with everything inside, summed over the calls that lie in no other of the"
                                        + " same name."),
                        Row::total)
                .add(micros(ColumnNames.LONGEST_US, "Longest single duration."), Row::longest)
                .add(
                        ColumnSpec.percent("percent", "Share of the self times of all frames."),
                        r -> all == 0 ? 0.0 : 100.0 * r.self / all)
                .table("host_frames", "Frames of Python", rows);
    }
}
