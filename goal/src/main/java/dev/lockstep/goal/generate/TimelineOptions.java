// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

/**
 * What the schedule of a rank holds besides its operations and the time between them.
 *
 * @param merged whether the streams of a GPU become one
 * @param wholeWindow whether computing before the first and behind the last operation belongs to it
 * @param acrossStreams whether an operation waits for those that had ended on other streams when it began
 * @param together whether all ranks begin at the same time, however far apart they were recorded
 * @param label what tags say about the operation
 */
public record TimelineOptions(
        boolean merged, boolean wholeWindow, boolean acrossStreams, boolean together, TagLabel label) {}
