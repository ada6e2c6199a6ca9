// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;

/** Whose report across ranks is made: the program's own, or that of a tool that it stands in for. */
public interface CollectiveStyle {
    /** The rules by which collectives are taken from traces. */
    RankCollectives.Key kernels();

    /** The report. */
    Report report(MatchedRanks run);

    /** How cells are spelt. */
    CellStyle cells();
}
