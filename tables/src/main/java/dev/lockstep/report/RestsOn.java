// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import static dev.lockstep.report.Topic.ABSENCE;
import static dev.lockstep.report.Topic.ACTIONS;
import static dev.lockstep.report.Topic.HOST;
import static dev.lockstep.report.Topic.IDLE;
import static dev.lockstep.report.Topic.KERNELS;
import static dev.lockstep.report.Topic.LATENESS;
import static dev.lockstep.report.Topic.LAUNCHES;
import static dev.lockstep.report.Topic.OPERATORS;
import static dev.lockstep.report.Topic.STEPS;
import static dev.lockstep.report.Topic.WAITING;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What each finding and each table rests on. Every code of a finding is listed, or the beginning of it up to an underscore; those that
 * are about files, memory or settings rest on nothing that can be withheld.
 */
final class RestsOn {
    private static final Set<Topic> NOTHING = Set.of();
    private static final Map<String, Set<Topic>> FINDINGS = new HashMap<>();
    private static final Map<String, Set<Topic>> TABLES = new HashMap<>();

    /** What the verdict and the actions rest on. */
    static final Set<Topic> ANSWER = Set.of(IDLE, HOST, KERNELS, ACTIONS);

    static {
        findings(Set.of(IDLE), "busy", "run_idle", "exposed_communication", "exposed_copies", "computation_blocked");
        findings(Set.of(IDLE, HOST), "idle", "idle_cause", "late_start", "queue_emptied", "iteration_gaps", "phases");
        findings(Set.of(IDLE, HOST), "host_pace", "launched_before");
        findings(Set.of(IDLE, HOST, STEPS, ACTIONS), "step_advice");
        findings(Set.of(IDLE, HOST, ACTIONS), "opportunity");
        findings(Set.of(LAUNCHES, IDLE, HOST), "launch_bound", "launch_outliers", "queue_full");
        findings(Set.of(OPERATORS), "top_operator", "top_module_class", "work_coverage");
        findings(Set.of(OPERATORS, KERNELS), "below_roofline", "above_roofline");
        findings(Set.of(KERNELS), "top_kernel", "short_kernels", "small_grids", "low_occupancy", "vector_units");
        findings(Set.of(KERNELS), "kernel_occupancy", "pageable_copies");
        findings(Set.of(KERNELS, STEPS), "kernels_slow_down");
        findings(Set.of(STEPS), "uneven_steps", "even_steps", "steps_inferred");
        findings(Set.of(ABSENCE), "no_device_activity", "no_operators", "waits_not_recorded");
        findings(Set.of(WAITING), "straggler", "pipeline_bubbles", "node_spans");
        findings(Set.of(LATENESS, WAITING), "late_rank", "late_ranks");
        findings(Set.of(LATENESS, STEPS), "slow_rank", "slow_ranks");
        findings(Set.of(WAITING), "collectives_incomplete", "collectives_disagree", "counts_differ");
        findings(Set.of(WAITING), "clocks_aligned", "clocks_differ", "clocks_unsteady");
        findings(Set.of(LATENESS, WAITING), "fleet_even", "fleet_late_start", "fleet_slow_group", "fleet_slow_place");
        findings(Set.of(LATENESS, WAITING, ACTIONS), "straggler_slowdown", "straggler_groups", "straggler_workers");
        findings(Set.of(LATENESS, WAITING), "straggler_unexplained");
        findings(Set.of(IDLE), "parts", "total_time", "total_unknown", "same_time", "no_difference");
        findings(Set.of(KERNELS, OPERATORS), "matched", "slower_with_shapes", "other_shapes", "slower", "faster");
        findings(Set.of(IDLE, HOST, KERNELS), "cause");
        findings(Set.of(IDLE), "best", "no_winner", "unclear", "per_step", "contributions_by");
        findings(Set.of(IDLE), "sweep_best", "sweep_no_winner", "sweep_ties", "sweep_unsure", "sweep_why");
        findings(Set.of(WAITING), "sweep_collective");
        findings(Set.of(KERNELS), "gemm_communication");
        findings(NOTHING, "hta", "repeating_section", "graph_launches", "kernel_counters", "recovered_roles");
        findings(NOTHING, "memory", "out_of_memory", "ranks_missing");
        findings(NOTHING, "host_threads", "top_annotation", "top_frame", "top_host_operator", "top_host_shapes");
        findings(NOTHING, "no_process_groups", "no_sizes", "clocks_unknown", "waits_unknown", "compared_partial");
        findings(NOTHING, "fleet_few_steps", "fleet_other_steps", "fleet_ranks", "fleet");
        findings(NOTHING, "other_devices", "other_kernels", "other_recording", "other_steps", "unlike_devices");
        findings(NOTHING, "same_trace", "same_report");
        findings(NOTHING, "input", "unmatched", "times_unread", "units_mended", "unit_mismatch");
        findings(NOTHING, "sweep_gaps", "sweep_other_ranks");
        findings(NOTHING, "bookkeeping", "inputs_missing", "not_joined", "steps_differ", "forwards_from_counts");
        findings(NOTHING, "kernels_once", "operators_without_times", "cache_effects_unknown");
        findings(NOTHING, "claimed_energy_error", "claimed_time_error", "explained_share", "few_times", "run_count");
        findings(NOTHING, "energy", "power", "schedule", "hang", "link");
        tables(Set.of(IDLE), "gpu_timeline", "gpu_timeline_by_device", "gpu_timeline_by_stream", "idle_gaps", "ranks");
        tables(Set.of(IDLE, STEPS), "gpu_timeline_by_step", "step_parts");
        tables(Set.of(IDLE, HOST), "idle_causes", "idle_causes_by_step");
        tables(Set.of(LAUNCHES, IDLE), "launches_by_step", "launches_by_operator", "launch_queues");
        tables(Set.of(IDLE, HOST, ACTIONS), "opportunities", "what_if", "critical_path", "critical_path_summary");
        tables(Set.of(IDLE, ACTIONS), "compute_gaps");
        tables(Set.of(OPERATORS), "ops_summary", "ops_summary_by_category", "ops_unique_args", "unified_perf_summary");
        tables(Set.of(KERNELS), "kernel_summary", "short_kernels_summary", "short_kernel_histogram");
        tables(Set.of(WAITING), "straggler_summary", "nccl_implicit_sync", "nccl_summary_implicit_sync");
        tables(Set.of(LATENESS, WAITING, ACTIONS), "straggler_whatif", "straggler_steps", "straggler_heatmap");
        tables(Set.of(LATENESS, WAITING), "fleet_slow_ranks", "fleet_starts", "fleet_steps", "fleet_groups");
        tables(Set.of(LATENESS, WAITING), "fleet_kernels", "fleet_incidents", "straggler_kernels");
    }

    /** Tables that are statements in themselves: where what they rest on is withheld, they are not shown. */
    private static final Set<String> STATEMENTS = Set.of("opportunities");

    /** Tables that say of nothing that it is there where they are empty. */
    private static final Set<String> STATEMENTS_WHERE_EMPTY = Set.of(
            "fleet_slow_ranks",
            "fleet_kernels",
            "fleet_starts",
            "fleet_incidents",
            "fleet_groups",
            "straggler_kernels");

    private RestsOn() {}

    /** What a finding rests on. */
    static Set<Topic> finding(String code) {
        return FINDINGS.getOrDefault(listed(code), NOTHING);
    }

    /** Whether a code of a finding is listed. */
    static boolean knows(String code) {
        return FINDINGS.containsKey(listed(code));
    }

    private static String listed(String code) {
        String known = code;
        while (!FINDINGS.containsKey(known) && known.contains("_")) {
            known = known.substring(0, known.lastIndexOf('_'));
        }
        return known;
    }

    /** What the numbers of a table rest on. */
    static Set<Topic> table(String name) {
        return TABLES.getOrDefault(name, Set.of());
    }

    /** Whether a table says what follows, and is no evidence for something else. */
    static boolean isStatement(String table) {
        return STATEMENTS.contains(table);
    }

    /** Whether it says something that a table is empty: that nobody is slow. */
    static boolean isStatementWhereEmpty(String table) {
        return STATEMENTS_WHERE_EMPTY.contains(table);
    }

    private static void findings(Set<Topic> topics, String... codes) {
        for (String code : codes) {
            FINDINGS.put(code, topics);
        }
    }

    private static void tables(Set<Topic> topics, String... names) {
        for (String name : names) {
            TABLES.put(name, topics);
        }
    }
}
