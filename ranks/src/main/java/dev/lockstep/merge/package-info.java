// SPDX-License-Identifier: Apache-2.0
/**
 * One timeline of many ranks. {@link dev.lockstep.merge.TimelineMerge} takes the ranks one after the other, lays each out as a
 * {@link dev.lockstep.timeline.RankTimeline} (processes and rows that are unique in the file, overlaps on rows of their own,
 * arrows with both ends) and hands it to a writer; only one rank is in memory at a time. What is not written is counted
 * by reason.
 */
@NullMarked
package dev.lockstep.merge;

import org.jspecify.annotations.NullMarked;
