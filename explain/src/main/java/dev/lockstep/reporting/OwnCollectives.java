// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;

/** The program's own report across ranks. */
public record OwnCollectives() implements CollectiveStyle {
    @Override
    public RankCollectives.Key kernels() {
        return RankCollectives.Key.standard();
    }

    @Override
    public Report report(MatchedRanks run) {
        return CollectiveReport.of(run);
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PLAIN;
    }
}
