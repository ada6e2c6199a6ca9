// SPDX-License-Identifier: Apache-2.0
/**
 * Columns. A {@link dev.lockstep.table.Table} is an immutable list of typed columns with a documented
 * {@link dev.lockstep.table.Schema}; analyses build them, writers print them. Knows nothing about traces.
 * Start at {@link dev.lockstep.table.Table}.
 */
@NullMarked
package dev.lockstep.table;

import org.jspecify.annotations.NullMarked;
