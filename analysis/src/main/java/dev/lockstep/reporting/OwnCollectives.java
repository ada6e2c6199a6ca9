// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.report.Report;
import dev.lockstep.session.RankSet;
import dev.lockstep.write.CellStyle;

/** The program's own report across ranks. */
public record OwnCollectives() implements CollectiveStyle {
    @Override
    public RankCollectives.Key kernels() {
        return RankCollectives.Key.standard();
    }

    @Override
    public Report report(RankSet<RankCollectives> ranks, String source, CollectiveOptions options) {
        return CollectiveReport.of(ranks, source, options);
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PLAIN;
    }
}
