// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The files about a sweep as a whole. */
public interface SweepSummary {
    /**
     * Writes them.
     *
     * @param places where they belong
     * @param output stages them
     * @return what was staged, by its final place; empty when there was nothing to sum up
     */
    List<Path> write(Session session, SweepReports places, Output output) throws IOException;
}
