// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.table.ColumnSpec;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column that somebody else puts beside the device time of the operators, e.g. what another run needs for the same.
 *
 * @param spec what it is
 * @param value its value for a row; null when there is none
 */
public record ExtraColumn(ColumnSpec spec, Function<PerfSummary.Row, @Nullable Object> value) {}
