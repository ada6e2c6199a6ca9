// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

/** Why something that was read is not in the merged file. */
public enum Reason {
    CATEGORY("category"),
    NAME("name"),
    STREAM("stream"),
    TIME("time window"),
    STEP("step"),
    HOST("not on a device (--gpu-only)"),
    TIME_IMPLAUSIBLE("instants and counters whose time lies days away from all slices"),
    METADATA_OF_UNUSED("metadata of a process without events"),
    ENVIRONMENT("values of environment variables and other secrets in metadata (--keep-environment)"),
    FLOW_WITHOUT_START("flow end without a start"),
    FLOW_WITHOUT_END("flow start without an end"),
    FLOW_WITHOUT_SLICE("flow end without a slice to touch"),
    FLOW_BACKWARDS("flow from a slice that begins after the other has ended"),
    FLOW_CORRELATION("flow between slices of different correlation"),
    FLOW_OF_FILTERED("flow of a slice that was filtered out");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** In words. */
    public String text() {
        return text;
    }

    /** Whether the user asked for it. */
    public boolean isFilter() {
        return compareTo(HOST) <= 0 || this == FLOW_OF_FILTERED;
    }
}
