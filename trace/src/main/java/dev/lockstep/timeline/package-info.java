// SPDX-License-Identifier: Apache-2.0
/**
 * Writers of timelines: each is handed a rank as a {@link dev.lockstep.timeline.RankTimeline} and knows nothing about
 * merging. Start at {@link dev.lockstep.timeline.TraceWriter}.
 */
@NullMarked
package dev.lockstep.timeline;

import org.jspecify.annotations.NullMarked;
