// SPDX-License-Identifier: Apache-2.0
/**
 * Reads traces in Perfetto's format: track events of any writer, and those of this program with all that they were made
 * from. Start at {@link dev.lockstep.read.perfetto.PerfettoReader}; the message layout stands at
 * {@link dev.lockstep.codec.PerfettoFormat}.
 */
@NullMarked
package dev.lockstep.read.perfetto;

import org.jspecify.annotations.NullMarked;
