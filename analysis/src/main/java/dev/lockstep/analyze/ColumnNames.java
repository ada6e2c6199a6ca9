// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/** Headers of columns that more than one class knows by name. */
public final class ColumnNames {
    public static final String ALGO_BW = "algo bw (GB/s)";
    public static final String BASELINE_COUNT = "baseline count";
    public static final String BUSY_MS = "busy ms";
    public static final String BUSY_PERCENT = "busy %";
    public static final String BUS_BW = "bus bw (GB/s)";
    public static final String COLLECTIVE_ID = "collective_id";
    public static final String COLLECTIVE_NAME = "Collective name";
    public static final String COMMUNICATION_MS = "communication ms";
    public static final String COMM_LATENCY = "comm_latency";
    public static final String COMPUTATION_MS = "computation ms";
    public static final String CONCRETE_INPUTS = "Concrete Inputs";
    public static final String DEVICE_ACTIVITIES = "device activities";
    public static final String EXPOSED_COMM_MS = "exposed comm ms";
    public static final String EXPOSED_MEMCPY_MS = "exposed memcpy ms";
    public static final String FROM_US = "from us";
    public static final String FULL_MSG_SIZE_MB = "Full msg size (MB)";
    public static final String GEMM_KERNEL_NAME = "kernel_name";
    public static final String GROUP_SIZE = "Group size";
    public static final String IDLE_MS = "idle ms";
    public static final String IDLE_PERCENT = "idle %";
    public static final String INPUT_DIMS = "Input Dims";
    public static final String INPUT_TYPE = "Input type";
    public static final String IN_MSG_NELEMS = "In msg nelems";
    public static final String IS_RECOMPUTE = "is_recompute";
    public static final String KERNEL_DURATION_US_SUM = "Kernel duration (µs)_sum";
    public static final String KERNEL_NAME = "Kernel name";
    public static final String KERNEL_TIME_MAX_US = "kernel_time_max_us";
    public static final String KERNEL_TIME_MIN_US = "kernel_time_min_us";
    public static final String LONGEST_US = "longest us";
    public static final String MEAN_DURATION_US = "mean_duration_us";
    public static final String MEAN_US = "mean us";
    public static final String NAME_COUNT = "name_count";
    public static final String OPERATION_COUNT = "operation_count";
    public static final String OP_CATEGORY = "op category";
    public static final String PROCESS_GROUP_RANKS = "Process Group Ranks";
    public static final String SELF_TIME_MS = "self time ms";
    public static final String SHARED_MEMORY = "shared memory";
    public static final String SHARE_PERCENT = "share %";
    public static final String SKEW_IN_END_TIME = "skew in end time";
    public static final String SKEW_IN_START_TIME = "skew in start time";
    public static final String START_US = "start us";
    public static final String TIME_DIFF_US = "time_diff_us";
    public static final String TIME_MS = "time ms";
    public static final String TIME_US = "time us";
    public static final String TOTAL_COMM_LATENCY_MS = "Total comm latency (ms)";
    public static final String TOTAL_DIRECT_KERNEL_TIME_MS = "total_direct_kernel_time_ms";
    public static final String TOTAL_DURATION_US = "total_duration_us";
    public static final String TOTAL_TIME_MS = "total time ms";
    public static final String TRUNC_KERNEL_DETAILS = "trunc_kernel_details";

    private ColumnNames() {}
}
