// SPDX-License-Identifier: Apache-2.0
/**
 * Tables that were written before and are read back: sheets of CSV folders and workbooks, as streams of rows or as
 * {@link dev.lockstep.table.Table}s whose columns are numbers where every cell is one. Knows nothing about what sheets mean.
 * Other modules bring formats as {@link dev.lockstep.tabular.SheetFormat} services. Start at
 * {@link dev.lockstep.tabular.SheetTable}.
 */
@NullMarked
package dev.lockstep.tabular;

import org.jspecify.annotations.NullMarked;
