// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.Change;
import java.util.List;

/**
 * A figure of every run.
 *
 * @param name what it is
 * @param unit of the values
 * @param moreIsBetter whether a larger value is the better one
 * @param values by run, the baseline first; NaN where unknown
 * @param changes by run after the baseline
 */
public record Metric(String name, String unit, boolean moreIsBetter, List<Double> values, List<Change> changes) {
    public Metric {
        values = List.copyOf(values);
        changes = List.copyOf(changes);
    }
}
