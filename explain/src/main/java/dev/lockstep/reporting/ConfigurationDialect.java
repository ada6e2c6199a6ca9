// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How another tool puts configurations side by side. */
public interface ConfigurationDialect {
    /**
     * Which parts of a comparison are wanted.
     *
     * @param timelines timelines of devices
     * @param collectives collectives
     * @param finalReport the report that holds both
     * @param plots pictures
     */
    record Stages(boolean timelines, boolean collectives, boolean finalReport, boolean plots) {}

    /**
     * What to compare.
     *
     * @param configurations those with finished reports, the baseline first
     * @param labels what each is called
     * @param geometric whether ranks are summarised by the geometric mean
     * @param output the folder of the comparison
     */
    record Request(
            List<Configuration> configurations, List<String> labels, Stages stages, boolean geometric, Path output) {
        public Request {
            configurations = List.copyOf(configurations);
            labels = List.copyOf(labels);
        }
    }

    /**
     * What was done.
     *
     * @param written files and folders
     * @param coverage what was expected of the reports, and found
     * @param leftOut configurations that could not be compared, and why
     */
    record Compared(List<Path> written, Coverage coverage, List<String> leftOut) {
        public Compared {
            written = List.copyOf(written);
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * Compares, and writes the tool's files.
     *
     * @throws dev.lockstep.error.UserException when reports that the comparison needs are missing
     */
    Compared compare(Session session, Request request) throws IOException;
}
