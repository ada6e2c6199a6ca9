// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;

/** The program's own report across ranks. */
public record OwnCollectives() implements CollectiveStyle {
    @Override
    public KeptRank keep(DerivedCache trace, PartRoom room) {
        return room.keep(trace);
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
