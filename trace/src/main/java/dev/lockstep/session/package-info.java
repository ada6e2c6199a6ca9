// SPDX-License-Identifier: Apache-2.0
/**
 * Reading: which readers and writers there are, one file, all ranks of a run. Start at
 * {@link dev.lockstep.session.Session}, {@link dev.lockstep.session.RankSet} and {@link dev.lockstep.session.Builtins}.
 */
@NullMarked
package dev.lockstep.session;

import org.jspecify.annotations.NullMarked;
