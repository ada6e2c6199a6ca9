// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;

/** How another tool lists the matrix multiplications of a sweep whose time varies, each file made from the one before. */
public interface GemmDialect {
    /**
     * The operators of each report whose times lie furthest apart.
     *
     * @param analysis the folder of analyses
     * @param selection what to look at; lists that are empty stand for what the tool looks at by itself
     * @param topK rows for each report
     */
    GemmFile variance(Path analysis, Selection selection, int topK) throws IOException;

    /**
     * The file of {@link #variance} with the times of the shortest and the longest kernels.
     *
     * @param sweep the folder of the sweep
     * @param tolerance how far durations may be from those of the file before it is said, as a share of these
     */
    GemmFile timestamps(Session session, Path csv, Path sweep, double tolerance) throws IOException;

    /**
     * The file of {@link #timestamps} with the collectives that ran during the longest kernels.
     *
     * @param analysis the folder of analyses
     */
    GemmFile overlap(Path csv, Path analysis) throws IOException;
}
