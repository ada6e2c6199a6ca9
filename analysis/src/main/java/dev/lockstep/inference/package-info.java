// SPDX-License-Identifier: Apache-2.0
/**
 * Traces of serving engines, made whole: what a replayed graph does is taken from the trace of its capture
 * ({@link dev.lockstep.inference.CaptureMerge}), and operators that hold several steps of work are taken apart
 * ({@link dev.lockstep.inference.PseudoOps}). Both turn a trace into a trace; everything behind them is unaware of it.
 */
@NullMarked
package dev.lockstep.inference;

import org.jspecify.annotations.NullMarked;
