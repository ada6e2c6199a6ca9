// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import java.util.List;

/** How another tool puts finished reports side by side. */
public interface ComparisonDialect {
    /** Words for sheets that can be asked for. */
    List<String> choices();

    /** Whether a sheet of a report takes part. */
    boolean reads(String sheet);

    /** How cells are read back. */
    SheetTable readBack();

    /**
     * Compares.
     *
     * @param reports at least two, the baseline first
     * @param choices some of {@link #choices()}; none for what the tool compares if it is not told
     */
    Report report(List<SheetSet> reports, List<String> choices);

    /** How cells are spelt. */
    CellStyle cells();
}
