// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

/** Why two traces take different times. Each device activity of either trace counts for one cause. */
public enum Cause {
    /** An operator of both ran a kernel of the same name. */
    SAME_KERNEL("same_kernel", "the same kernels took longer or shorter"),
    /** An operator of both ran kernels of other names. */
    OTHER_KERNELS("other_kernels", "the same operator ran other kernels"),
    /** An operator of both ran further kernels on one side. */
    KERNEL_COUNT("kernel_count", "the same operator ran more or fewer kernels"),
    /** An operator that both know was called on one side only. */
    CALL_COUNT("call_count", "an operator was called more or less often"),
    /** An operator that only the baseline knows. */
    ONLY_BASELINE("only_baseline", "only the baseline has the operator"),
    /** An operator that only the candidate knows. */
    ONLY_CANDIDATE("only_candidate", "only the candidate has the operator"),
    /** Device activity that had been launched before the trace began. */
    LAUNCHED_BEFORE("launched_before", "device activity had been launched before the trace began"),
    /** Other device activity without a known launch, by its own name. */
    UNLINKED("unlinked", "device activity whose launch is not in the trace"),
    /** Time won by running several activities at a time. */
    OVERLAP("overlap", "activities ran at the same time"),
    /** Time without any activity, by what filled it. */
    IDLE("idle", "the device did nothing");

    private final String id;
    private final String meaning;

    Cause(String id, String meaning) {
        this.id = id;
        this.meaning = meaning;
    }

    /** Stable word. */
    public String id() {
        return id;
    }

    /** In words. */
    public String meaning() {
        return meaning;
    }

    /** Whether the cause is about the durations of device activity. */
    public boolean isWork() {
        return this != OVERLAP && this != IDLE;
    }
}
