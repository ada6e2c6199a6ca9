// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every answer can be turned into. */
public interface AnalysisResult {
    /** The answer as sheets; empty when not applicable. */
    List<Table> tables();

    /**
     * Where on the timeline each row of a sheet lies; empty where rows have no place.
     *
     * @param sheet name of one of the tables
     */
    default List<Evidence> places(String sheet) {
        return List.of();
    }

    /** What is worth saying in words. */
    default List<Finding> findings() {
        return List.of();
    }

    /** Why there is no answer, or null when there is one. */
    default @Nullable String notApplicable() {
        return null;
    }
}
