// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.Place;
import dev.lockstep.report.Finding;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Queries of a dataset that show what findings of its run rest on. */
final class FindingQueries {
    private static final Pattern WORD = Pattern.compile("[a-z][a-z_]*");

    /** By sheet that a finding comes from, the rows of a table that it sums up; {@code $OF} stands for run and rank. */
    private static final Map<String, String> BY_SHEET = Map.ofEntries(
            Map.entry(TableNames.CLOCK_OFFSETS, "ranks WHERE $OF AND clock_offset_ns IS NOT NULL ORDER BY rank"),
            Map.entry(TableNames.COMPUTE_GAPS, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry("coverage", "diagnostics WHERE $OF ORDER BY rank, weight, code"),
            Map.entry(TableNames.GPU_TIMELINE, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(TableNames.GPU_TIMELINE_BY_STEP, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(TableNames.IDLE_CAUSES, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(TableNames.IDLE_GAPS, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(
                    TableNames.KERNEL_OCCUPANCY, "kernels WHERE $OF AND kernel_class = 'compute' ORDER BY sum_ns DESC"),
            Map.entry(TableNames.KERNEL_SUMMARY, "kernels WHERE $OF ORDER BY sum_ns DESC"),
            Map.entry(TableNames.LAUNCHES_BY_OPERATOR, "ops WHERE $OF AND launches > 0 ORDER BY host_ns DESC"),
            Map.entry(TableNames.LAUNCHES_BY_STEP, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(TableNames.MEMORY_PEAK, "memory WHERE $OF ORDER BY allocated DESC"),
            Map.entry(TableNames.MEMORY_STEPS, "memory WHERE $OF ORDER BY ts_ns"),
            Map.entry(TableNames.NCCL_IMPLICIT_SYNC, "collectives WHERE $OF ORDER BY instance, rank"),
            Map.entry("nccl_node_spans", "collectives WHERE $OF ORDER BY instance, rank"),
            Map.entry("opportunities", "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(TableNames.OPS_SUMMARY, "ops WHERE $OF ORDER BY device_ns DESC"),
            Map.entry(TableNames.SHORT_KERNELS_SUMMARY, "kernels WHERE $OF AND min_ns < 10000 ORDER BY \"count\" DESC"),
            Map.entry(TableNames.STEP_PARTS, "steps WHERE $OF ORDER BY rank, step_index"),
            Map.entry(
                    TableNames.STRAGGLER_SUMMARY,
                    "collectives WHERE $OF AND late_ns IS NOT NULL ORDER BY late_ns DESC"),
            Map.entry(TableNames.UNIFIED_PERF_SUMMARY, "ops WHERE $OF AND launches > 0 ORDER BY device_ns DESC"),
            Map.entry(TableNames.WORK_COVERAGE, "ops WHERE $OF AND launches > 0 ORDER BY device_ns DESC"));

    private final String run;
    private final Level level;

    /** Of a run of this name. */
    FindingQueries(String run, Level level) {
        this.run = run;
        this.level = level;
    }

    /**
     * The query of a finding: what overlaps its first place, else the rows that its sheet sums up.
     *
     * @param rank that it is about, -1 for the run
     * @param shift from the time of its places to that of the run, in ns
     * @return null when no table that is filled holds it
     */
    @Nullable
    String of(Finding finding, int rank, long shift) {
        String of = "run = '" + run + "'" + (rank < 0 ? "" : " AND rank = " + rank);
        for (Evidence evidence : finding.evidence()) {
            if (evidence instanceof Evidence.OfRank one) {
                return "SELECT * FROM collectives WHERE " + of + " AND last_rank = " + one.rank()
                        + " ORDER BY wait_ns DESC";
            }
            if (level == Level.FULL && evidence instanceof Evidence.Places places && !places.isEmpty()) {
                Place first = places.places().getFirst();
                return "SELECT * FROM slices WHERE " + of + " AND ts_ns < " + (first.end() + shift)
                        + " AND ts_ns + dur_ns > " + (first.start() + shift) + " ORDER BY ts_ns, id";
            }
        }
        return WORD.matcher(finding.basis())
                .results()
                .map(MatchResult::group)
                .filter(BY_SHEET::containsKey)
                .map(sheet -> BY_SHEET.getOrDefault(sheet, ""))
                .filter(rows -> level == Level.FULL || !rows.startsWith(DatasetTables.MEMORY.name()))
                .findFirst()
                .map(rows -> "SELECT * FROM " + rows.replace("$OF", of))
                .orElse(null);
    }
}
