// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.sweep.summary.SweepStyle;
import dev.lockstep.sweep.summary.SweepSummary;
import java.io.IOException;
import java.util.List;

/** The files that AORTA's scripts write about a sweep, each made from the ones before. */
record AortaSweep() implements SweepStyle {
    @Override
    public ReportStyle reports() {
        return new AortaReports();
    }

    @Override
    public boolean takesGemms() {
        return false;
    }

    @Override
    public SweepSummary summary(List<ReportedConfiguration> configurations, Coverage coverage, boolean geometric) {
        return new AortaSummary(configurations, geometric);
    }

    @Override
    public Afterwards afterwards(Session session, Sweep sweep) throws IOException {
        return AortaChain.of(session, sweep);
    }
}
