// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/** Parts of the time of devices, as rows of timelines name them. */
public final class TimelinePartNames {
    public static final String BUSY_TIME = "busy_time";
    public static final String COMPUTATION_TIME = "computation_time";
    public static final String EXPOSED_COMM_TIME = "exposed_comm_time";
    public static final String EXPOSED_MEMCPY_TIME = "exposed_memcpy_time";
    public static final String EXPOSED_OTHER_TIME = "exposed_other_time";
    public static final String IDLE_TIME = "idle_time";
    public static final String MACRO_IDLE_TIME = "macro_idle_time";
    public static final String MICRO_IDLE_TIME = "micro_idle_time";
    public static final String TOTAL_COMM_TIME = "total_comm_time";
    public static final String TOTAL_MEMCPY_TIME = "total_memcpy_time";
    public static final String TOTAL_TIME = "total_time";

    private TimelinePartNames() {}
}
