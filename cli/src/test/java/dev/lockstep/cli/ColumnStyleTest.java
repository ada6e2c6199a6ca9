// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Columns of our own sheets are called in words: small letters, spaces between, the unit last, in its symbol. Sheets that
 * another tool or a published specification has keep the names of there, and what we add to them follows these.
 */
class ColumnStyleTest {
    private static final List<String> REFERENCES = List.of(
            "tables",
            "collective-tables",
            "kernel-tables",
            "schedule-tables",
            "straggler-tables",
            "hang-tables",
            "link-tables");

    /** Sheets whose columns are named elsewhere. */
    private static final Pattern NAMED_ELSEWHERE = Pattern.compile(
            // TraceLens
            "gpu_timeline|ops_(summary|summary_by_category|unique_args)(_kl_overlap)?|unified_perf_summary(_kl_overlap)?"
                    + "|[A-Z][A-Za-z]*(_fwd|_bwd)?(_kl_overlap)?|kernel_summary|short_kernel(_histogram|s_summary)"
                    + "|coll_analysis|host_ops_unique_args|nccl_.*|straggler_summary"
                    // the sheets of the critical path, and ByteDance's tables
                    + "|what_if|recovered_roles");

    /** Two columns that are names of recordings. */
    private static final Pattern RECORDINGS = Pattern.compile("A|B");

    private static final String UNIT = "(ns|us|ms|s|%|bytes|[KMG]iB|[GM]B|[GT]B/s|GFLOP|TFLOP/s|J|W|SM|OS|λ)";
    private static final Pattern WORDS =
            Pattern.compile("(?:[a-z0-9][a-z0-9./-]*|" + UNIT + ")(?: (?:[a-z0-9][a-z0-9./-]*|" + UNIT + "))*");

    private static final Pattern SHEET = Pattern.compile("## `([^`]+)`.*");
    private static final Pattern COLUMN = Pattern.compile("\\| `([^`]+)` \\|.*");

    @Test
    void ownSheetsNameTheirColumnsInWords() throws IOException {
        List<String> others = new ArrayList<>();
        int seen = 0;
        for (String reference : REFERENCES) {
            String sheet = "";
            for (String line :
                    Documents.read("docs/reference/" + reference + ".md").split("\n")) {
                Matcher head = SHEET.matcher(line);
                Matcher column = COLUMN.matcher(line);
                if (head.matches()) {
                    sheet = head.group(1);
                } else if (column.matches()
                        && !sheet.isEmpty()
                        && !NAMED_ELSEWHERE.matcher(sheet).matches()) {
                    seen++;
                    if (!isInWords(column.group(1))) {
                        others.add(sheet + ": " + column.group(1));
                    }
                }
            }
        }
        assertThat(seen).isGreaterThan(400);
        assertThat(others).isEmpty();
    }

    private static boolean isInWords(String column) {
        return WORDS.matcher(column).matches() || RECORDINGS.matcher(column).matches();
    }
}
