// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import org.jspecify.annotations.Nullable;

/**
 * Where slices lie: a host thread or a device stream.
 *
 * @param process process id as the file writes it; of device tracks usually the device number
 * @param thread thread id as the file writes it; of device tracks usually the stream number
 * @param processName name from the metadata, null when absent
 * @param processLabels labels from the metadata, e.g. {@code GPU 0}; null when absent
 * @param threadName name from the metadata, null when absent
 */
public record Track(
        String process,
        String thread,
        @Nullable String processName,
        @Nullable String processLabels,
        @Nullable String threadName) {}
