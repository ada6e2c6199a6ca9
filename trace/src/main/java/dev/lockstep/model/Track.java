// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import org.jspecify.annotations.Nullable;

/**
 * Where slices lie: a host thread or a device stream.
 *
 * @param process process id as the file writes it; of device tracks usually the device number
 * @param thread thread id as the file writes it; of device tracks usually the stream number
 * @param names what the metadata calls it; of several names the longest, of those the first by text
 * @param lastNames what the metadata calls it; of several names the last in the file
 */
public record Track(String process, String thread, Names names, Names lastNames) {
    /**
     * Names from the metadata.
     *
     * @param process null when absent
     * @param labels of the process, e.g. {@code GPU 0}; null when absent
     * @param thread null when absent
     */
    public record Names(
            @Nullable String process,
            @Nullable String labels,
            @Nullable String thread) {
        static final Names NONE = new Names(null, null, null);
    }

    /**
     * A track with one name of each kind.
     *
     * @param process process id as the file writes it
     * @param thread thread id as the file writes it
     * @param processName name of the process, null when absent
     * @param processLabels labels of the process, e.g. {@code GPU 0}; null when absent
     * @param threadName name of the thread, null when absent
     */
    public Track(
            String process,
            String thread,
            @Nullable String processName,
            @Nullable String processLabels,
            @Nullable String threadName) {
        this(process, thread, new Names(processName, processLabels, threadName));
    }

    Track(String process, String thread, Names names) {
        this(process, thread, names, names);
    }

    /** {@return the name of the process, the longest of several; null when absent} */
    public @Nullable String processName() {
        return names.process();
    }

    /** {@return the labels of the process, the longest of several; null when absent} */
    public @Nullable String processLabels() {
        return names.labels();
    }

    /** {@return the name of the thread, the longest of several; null when absent} */
    public @Nullable String threadName() {
        return names.thread();
    }
}
