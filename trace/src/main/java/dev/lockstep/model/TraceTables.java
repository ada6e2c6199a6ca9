// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.util.List;
import java.util.Map;

/**
 * The tables of a trace, as a reader's statements fill them.
 *
 * @param strings the texts that ids in the tables stand for
 * @param details side tables of slices, without their names for columns
 * @param markDetails the same of marks
 */
record TraceTables(
        StringPool strings,
        List<Track> tracks,
        Slices slices,
        Flows flows,
        Marks marks,
        Map<TableKey<?>, DetailTable> details,
        Map<TableKey<?>, DetailTable> markDetails) {}
