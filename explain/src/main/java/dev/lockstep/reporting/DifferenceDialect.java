// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.nio.file.Path;

/** How another tool tells two traces apart. */
public interface DifferenceDialect {
    /** Compares a trace with a baseline. */
    Difference of(DerivedCache baseline, DerivedCache candidate);

    /** How cells are spelt. */
    CellStyle cells();

    /** What sets the traces apart. */
    interface Difference {
        /** The sheets. */
        Report report();

        /** Writes the files that lie beside the sheets into a folder, which exists. */
        void writeFiles(Path folder) throws IOException;
    }
}
