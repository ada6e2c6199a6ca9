// SPDX-License-Identifier: Apache-2.0
/**
 * Work on whole runs and sweeps: every trace is read once, everything that later steps need is taken from it while it is in
 * memory, and reports are written as their configurations are complete. Start at {@link dev.lockstep.sweep.RunPass} and
 * {@link dev.lockstep.sweep.ReportStage}.
 */
@NullMarked
package dev.lockstep.sweep;

import org.jspecify.annotations.NullMarked;
