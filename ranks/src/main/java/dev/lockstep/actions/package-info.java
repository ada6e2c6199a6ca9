// SPDX-License-Identifier: Apache-2.0
/**
 * What one can change in a program, what that gains, and what bounds it now. {@link dev.lockstep.actions.Actions} lists the actions;
 * each looks for its evidence in the trace and says what would be true of the same recording without it. The graph of dependencies
 * is replayed with that ({@code dev.lockstep.path}). {@link dev.lockstep.actions.Answers} puts the gains into words.
 */
@NullMarked
package dev.lockstep.actions;

import org.jspecify.annotations.NullMarked;
