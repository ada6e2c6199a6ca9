// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * When a rank worked in the recording, counted as its schedule counts: from the moment at which the first rank begins.
 *
 * @param beginNs when it began, in nanoseconds; 0 for all ranks that begin together
 * @param endNs when its last operation was done, or with the whole window its last device activity
 */
public record RecordedSpan(long beginNs, long endNs) {}
