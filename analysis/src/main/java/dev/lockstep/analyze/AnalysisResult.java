// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.report.Finding;
import dev.lockstep.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every answer can be turned into. */
public interface AnalysisResult {
    /** The answer as sheets; empty when not applicable. */
    List<Table> tables();

    /** What is worth saying in words. */
    default List<Finding> findings() {
        return List.of();
    }

    /** Why there is no answer, or null when there is one. */
    default @Nullable String notApplicable() {
        return null;
    }
}
