// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.dialect.Dialects;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.CompanionSheets;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/hta-tables.md} is what the columns say about themselves. After a change of a column, rewrite it with
 * {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class HtaTablesReferenceTest {
    private static final String HEAD = """
        # The `hta_*` sheets

        Generated from the columns themselves; do not edit. `lockstep report --csv DIR` and `lockstep diff --csv DIR` write them
        beside their own sheets. A missing value is an empty cell. `hta_kernel_sequences` is there with `--kernel-sequences`,
        `hta_critical_path*` with `--critical-path`; `hta_cupti_counters` has a column more for each counter, behind `kernel`.
        `lockstep report RANKS --csv DIR` writes each sheet once, with the rows of all ranks one after another: those without the
        column `rank` get it in front, and `hta_kernel_type_breakdown` is added up over ranks.
        Where they come from: [Switch from HTA](../how-to/switch-from-hta.md); how they differ:
        [Differences](differences.md#differences-from-holistic-trace-analysis).
        """;

    @TempDir
    private Path folder;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        EventText events = new EventText().op("aten::mm", 0, 50_000).launch("gemm", 10_000, 60_000, 30_000, 1, 7);
        Path file = Files.writeString(folder.resolve("rank0.json"), TestTraces.document(events.toString()));
        ReportOptions options = ReportOptions.standard()
                .with(new ReportOptions.Launches(1, "aten::", 1))
                .with(new ReportOptions.Paths(ReportOptions.Paths.WHOLE, List.of()));
        List<Table> tables = new ArrayList<>();
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), bytes -> {}).getFirst();
            for (CompanionSheets tool : Dialects.parts(CompanionSheets.class)) {
                tables.addAll(tool.of(trace, options).tables());
                tables.addAll(tool.difference(trace, trace).tables());
            }
        }
        TableReference.demand("docs/reference/hta-tables.md", HEAD, tables);
    }
}
