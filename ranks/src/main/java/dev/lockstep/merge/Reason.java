// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

/** Why something that was read is not in the merged file. */
public enum Reason {
    /** A filter does not want the category. */
    CATEGORY("category"),
    /** A filter does not want the name. */
    NAME("name"),
    /** A filter does not want the stream. */
    STREAM("stream"),
    /** It lies outside of the wanted time. */
    TIME("time window"),
    /** It does not run inside of what is wanted. */
    UNDER("not inside"),
    /** It lies outside of the wanted steps. */
    STEP("step"),
    /** It is not on a device, and only devices are wanted. */
    HOST("not on a device"),
    /** An instant or a counter value, days away from all slices of its file. */
    TIME_IMPLAUSIBLE("instants and counters whose time lies days away from all slices"),
    /** Metadata of a process that has no events in the merged file. */
    METADATA_OF_UNUSED("metadata of a process without events"),
    /** Metadata that may hold a secret: the value of an environment variable, a password. */
    ENVIRONMENT("values of environment variables and other secrets in metadata"),
    /** The end of an arrow whose start is not in the file. */
    FLOW_WITHOUT_START("flow end without a start"),
    /** The start of an arrow whose end is not in the file. */
    FLOW_WITHOUT_END("flow start without an end"),
    /** An end of an arrow at a time and on a track where no slice lies. */
    FLOW_WITHOUT_SLICE("flow end without a slice to touch"),
    /** An arrow from a slice that begins after the slice that it leads to has ended. */
    FLOW_BACKWARDS("flow from a slice that begins after the other has ended"),
    /** An arrow between slices that state different correlation numbers. */
    FLOW_CORRELATION("flow between slices of different correlation"),
    /** An arrow from or to a slice that was left out. */
    FLOW_OF_FILTERED("flow of a slice that was filtered out"),
    /** An arrow of a critical path that was drawn before; a new one takes its place. */
    FLOW_OF_PATH("flow of a critical path that was drawn before");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** {@return in words} */
    public String text() {
        return text;
    }

    /** {@return whether the user asked for it} */
    public boolean isFilter() {
        return compareTo(HOST) <= 0 || this == FLOW_OF_FILTERED || this == FLOW_OF_PATH;
    }
}
