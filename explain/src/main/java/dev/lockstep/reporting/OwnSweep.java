// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.sweep.summary.PlainSummary;
import dev.lockstep.sweep.summary.SweepStyle;
import java.util.List;

/** The program's own files about a sweep. */
public record OwnSweep() implements SweepStyle {
    @Override
    public ReportStyle reports() {
        return new OwnReports();
    }

    @Override
    public boolean takesGemms() {
        return true;
    }

    @Override
    public PlainSummary summary(List<ReportedConfiguration> configurations, Coverage coverage, boolean geometric) {
        return new PlainSummary(configurations, coverage, geometric);
    }

    @Override
    public Afterwards afterwards(Session session, Sweep sweep) {
        return new Afterwards(List.of(), List.of());
    }
}
