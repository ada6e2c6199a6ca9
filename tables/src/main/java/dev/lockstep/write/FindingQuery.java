// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.table.Table;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The query that shows what a finding rests on, in the dialect of {@code lockstep sql}, asked of the finished report. */
final class FindingQuery {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private FindingQuery() {}

    /**
     * The rows of a sheet that a finding rests on; where it names none, the sheet that its numbers come from.
     *
     * @param tables the sheets of the report
     * @return null when no sheet holds it
     */
    static @Nullable String of(Finding finding, List<Table> tables) {
        for (Evidence evidence : finding.evidence()) {
            if (evidence instanceof Evidence.Rows rows
                    && !rows.isEmpty()
                    && tables.stream().anyMatch(table -> table.name().equals(rows.sheet()))) {
                return "SELECT * FROM " + quoted(rows.sheet()) + " QUALIFY row_number() OVER () "
                        + places(rows.lines());
            }
        }
        return NAME.matcher(finding.basis())
                .results()
                .map(MatchResult::group)
                .filter(word -> tables.stream().anyMatch(table -> table.name().equals(word)))
                .findFirst()
                .map(sheet -> "SELECT * FROM " + quoted(sheet))
                .orElse(null);
    }

    /** Rows by their place, counted from 1: files have no numbers of rows. */
    private static String places(List<Integer> lines) {
        List<Integer> sorted =
                lines.stream().map(line -> line + 1).sorted().distinct().toList();
        int first = sorted.getFirst();
        if (sorted.size() > 2 && sorted.getLast() - first == sorted.size() - 1) {
            return "BETWEEN " + first + " AND " + sorted.getLast();
        }
        return sorted.stream().map(String::valueOf).collect(Collectors.joining(", ", "IN (", ")"));
    }

    private static String quoted(String name) {
        return NAME.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
