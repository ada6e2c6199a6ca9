// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.Trace;
import dev.lockstep.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sheets that another tool gave its users and that their programs read: written beside the program's own CSV files, with that
 * tool's names and columns and right values.
 */
public interface CompanionSheets {
    /**
     * What is asked for.
     *
     * @param queueLimit entries that the launch queue of a stream takes
     * @param sequencesOf part of the name of operators whose sequences of kernels are listed, or null
     * @param leastKernels kernels that such a sequence has at least
     * @param criticalPath what the critical path is asked of, as {@link dev.lockstep.options.ReportOptions.Paths#window}
     */
    record Options(
            int queueLimit,
            @Nullable String sequencesOf,
            int leastKernels,
            @Nullable String criticalPath) {
        /** Entries that the launch queue of a CUDA stream takes. */
        public static final int DEFAULT_LIMIT = 1024;

        /** Kernels of a sequence when nothing else is said. */
        public static final int DEFAULT_LEAST = 3;

        /** Nothing that must be asked for. */
        public static final Options STANDARD = new Options(DEFAULT_LIMIT, null, DEFAULT_LEAST, null);
    }

    /**
     * Finished sheets.
     *
     * @param tables one for each file
     * @param said what is worth saying about them, a sentence each
     */
    record Sheets(List<Table> tables, List<String> said) {
        /** Copies the lists. */
        public Sheets {
            tables = List.copyOf(tables);
            said = List.copyOf(said);
        }
    }

    /** The sheets of one rank. */
    Sheets of(Trace trace, Options options);

    /** The sheets that compare two traces. */
    Sheets difference(Trace baseline, Trace candidate);
}
