// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/** Names of tables that more than one class knows by name. Whoever makes a table and whoever looks it up spell it here. */
public final class TableNames {
    public static final String CLOCK_OFFSETS = "clock_offsets";
    public static final String CRITICAL_PATH = "critical_path";
    public static final String CRITICAL_PATH_SUMMARY = "critical_path_summary";
    public static final String COMPUTE_GAPS = "compute_gaps";
    public static final String DIFF_CAUSES = "diff_causes";
    public static final String DIFF_KERNELS = "diff_kernels";
    public static final String DIFF_MATCHED_OPS = "diff_matched_ops";
    public static final String DIFF_TOTALS = "diff_totals";
    public static final String GEMM_VARIANCE = "gemm_variance";
    public static final String GPU_TIMELINE = "gpu_timeline";
    public static final String GPU_TIMELINE_BY_STEP = "gpu_timeline_by_step";
    public static final String IDLE_CAUSES = "idle_causes";
    public static final String IDLE_GAPS = "idle_gaps";
    public static final String KERNEL_OCCUPANCY = "kernel_occupancy";
    public static final String KERNEL_SUMMARY = "kernel_summary";
    public static final String LAUNCHES_BY_OPERATOR = "launches_by_operator";
    public static final String LAUNCHES_BY_STEP = "launches_by_step";
    public static final String MEMORY_PEAK = "memory_peak";
    public static final String MEMORY_STEPS = "memory_steps";
    public static final String NCCL_ALL2ALLV = "nccl_all2allv";
    public static final String NCCL_IMPLICIT_SYNC = "nccl_implicit_sync";
    public static final String NCCL_LONG = "nccl_long";
    public static final String NCCL_SUMMARY_IMPLICIT_SYNC = "nccl_summary_implicit_sync";
    public static final String NCCL_SUMMARY_LONG = "nccl_summary_long";
    public static final String OPS_SUMMARY = "ops_summary";
    public static final String OPS_UNIQUE_ARGS = "ops_unique_args";
    public static final String SHORT_KERNELS_SUMMARY = "short_kernels_summary";
    public static final String STEP_PARTS = "step_parts";
    public static final String STRAGGLER_KERNELS = "straggler_kernels";
    public static final String STRAGGLER_SUMMARY = "straggler_summary";
    public static final String UNIFIED_PERF_SUMMARY = "unified_perf_summary";
    public static final String WHAT_IF = "what_if";
    public static final String WORK_COVERAGE = "work_coverage";

    private TableNames() {}
}
