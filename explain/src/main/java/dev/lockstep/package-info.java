// SPDX-License-Identifier: Apache-2.0
/**
 * The way in for other programs: {@link dev.lockstep.Lockstep} reads the ranks of a run as a {@link dev.lockstep.Run},
 * whose tables are {@link dev.lockstep.table.Table}s, and writes reports of it.
 */
@NullMarked
package dev.lockstep;

import org.jspecify.annotations.NullMarked;
