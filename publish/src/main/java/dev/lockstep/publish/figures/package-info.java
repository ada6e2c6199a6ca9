// SPDX-License-Identifier: Apache-2.0
/**
 * Which pictures there are and what they say: of GEMMs whose time varies over a sweep
 * ({@link dev.lockstep.publish.figures.VarianceFigures}) and of runs side by side
 * ({@link dev.lockstep.publish.figures.RunFigures}). What a figure is called, its signs and its units are handed in as a
 * look: one that is right, and those of other tools.
 */
@NullMarked
package dev.lockstep.publish.figures;

import org.jspecify.annotations.NullMarked;
