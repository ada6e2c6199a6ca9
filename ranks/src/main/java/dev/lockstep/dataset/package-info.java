// SPDX-License-Identifier: Apache-2.0
/**
 * Traces as a dataset: which tables there are, with a sentence and a unit for each column, and how the rows of a rank are handed
 * on. {@link dev.lockstep.dataset.DatasetTables} is the definition; {@link dev.lockstep.dataset.TraceRows} turns a trace into
 * rows, {@link dev.lockstep.dataset.RunRows} what all ranks did together. Rows go column by column, in
 * {@link dev.lockstep.dataset.RowBatch}es, into a {@link dev.lockstep.dataset.BatchSink}, which stores them.
 * Start at {@link dev.lockstep.dataset.DatasetTables}.
 */
@NullMarked
package dev.lockstep.dataset;

import org.jspecify.annotations.NullMarked;
