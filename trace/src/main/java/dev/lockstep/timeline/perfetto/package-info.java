// SPDX-License-Identifier: Apache-2.0
/**
 * Writes timelines in Perfetto's format: track events with interned texts, one sequence of packets for each rank, times
 * as differences. Slices that overlap without lying in one another get tracks of their own. Start at
 * {@link dev.lockstep.timeline.perfetto.PerfettoWriter}; the message layout stands at
 * {@link dev.lockstep.codec.PerfettoFormat}.
 */
@NullMarked
package dev.lockstep.timeline.perfetto;

import org.jspecify.annotations.NullMarked;
