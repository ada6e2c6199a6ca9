// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import org.jspecify.annotations.Nullable;

/** One analysis: a sheet and what is worth saying about it. */
interface HtaSheet {
    /** The first column of most sheets. */
    ColumnSpec RANK = ColumnSpec.id("rank", "Rank of the trace in its run.");

    /** The sheet; without rows where there is nothing of the kind. */
    Table table(HtaEvents events);

    /** Why the sheet has no rows, in a sentence. */
    String whyEmpty(HtaEvents events);

    /** The most telling line of the sheet in words; null where there is nothing to say. */
    default @Nullable String said(HtaEvents events, Table table) {
        return null;
    }

    /** The usual reason. */
    static String noDevice(HtaEvents events, String otherwise) {
        return events.devices() == 0 ? "the trace has no device events with a stream" : otherwise;
    }
}
