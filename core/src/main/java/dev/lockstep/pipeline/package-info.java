// SPDX-License-Identifier: Apache-2.0
/**
 * Work on whole runs and sweeps: every trace is read once, everything that later steps need is taken from it while it is in
 * memory, and reports are written as their configurations are complete. Start at {@link dev.lockstep.pipeline.RunPass} and
 * {@link dev.lockstep.pipeline.ReportStage}.
 */
@NullMarked
package dev.lockstep.pipeline;

import org.jspecify.annotations.NullMarked;
