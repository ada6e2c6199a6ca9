// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.table.Table;
import java.util.List;

/**
 * What is known about one rank of a run.
 *
 * @param rank its number
 * @param source the file it was read from
 * @param partial whether a part of the file is missing or damaged; what there is was used
 * @param report its report: facts, findings in words, charts, tables
 */
public record RankResult(int rank, String source, boolean partial, Report report) {
    /** {@return its tables, in the order in which reports show them} */
    public List<Table> tables() {
        return report.tables();
    }

    /**
     * One of its tables. Which there are, with their columns and units, is listed in {@code docs/reference/tables.md}.
     *
     * @param name as its CSV file is called, without the ending
     * @return the table
     * @throws UserException when there is no such table; the message says why not, or which there are
     */
    public Table table(String name) {
        for (Section section : report.sections()) {
            switch (section) {
                case Section.TableSection(Table table, var places)
                when table.name().equals(name) -> {
                    return table;
                }
                case Section.NotApplicable(String id, String reason)
                when id.equals(name) ->
                    throw new UserException(
                            ErrorCode.DATA_MISSING, source + ": " + name + " cannot be told: " + reason, null);
                default -> {}
            }
        }
        throw new UserException(
                ErrorCode.OPTION_INVALID,
                source + ": there is no table " + name,
                "There are "
                        + String.join(", ", tables().stream().map(Table::name).toList()) + ".");
    }
}
