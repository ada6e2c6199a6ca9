// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the sheets of reports, just made or from files, into the model of comparisons: the one place that knows what their
 * columns are called. Start at {@link dev.lockstep.compare.sheets.SummarySheets}.
 */
@NullMarked
package dev.lockstep.compare.sheets;

import org.jspecify.annotations.NullMarked;
