// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;

/** Whose report across ranks is made: the program's own, or that of a tool that it stands in for. */
public interface CollectiveStyle {
    /**
     * What is kept of a trace.
     *
     * @param room for what waited for what
     */
    KeptRank keep(DerivedCache trace, PartRoom room);

    /** The report. */
    Report report(MatchedRanks run);

    /** How cells are spelt. */
    CellStyle cells();
}
