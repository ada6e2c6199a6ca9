// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.ReportedConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Whose files are written about a whole sweep: the program's own, or those of a tool that it stands in for. */
public interface SweepStyle {
    /** The reports of its ranks. */
    ReportStyle reports();

    /** Whether matrix multiplications are taken from the traces while they are read for reports. */
    boolean takesGemms();

    /**
     * What is said about the sweep.
     *
     * @param geometric whether ranks are averaged geometrically
     */
    SweepSummary summary(List<ReportedConfiguration> configurations, Coverage coverage, boolean geometric);

    /** What is made of the finished files, when all of them are there. */
    Afterwards afterwards(Session session, Sweep sweep) throws IOException;

    /**
     * What was made of finished files.
     *
     * @param written the files
     * @param remarks what could not be done, and why
     */
    record Afterwards(List<Path> written, List<String> remarks) {
        public Afterwards {
            written = List.copyOf(written);
            remarks = List.copyOf(remarks);
        }
    }
}
