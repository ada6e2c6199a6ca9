// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hangs.Hangs;
import dev.lockstep.session.Session;
import dev.lockstep.synth.HangFault;
import dev.lockstep.synth.HangRecipe;
import dev.lockstep.synth.HangRun;
import dev.lockstep.synth.Workers;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/hang-tables.md} is what the columns say about themselves. After a change of a column, rewrite it with
 * {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class HangTablesReferenceTest {
    private static final String HEAD = """
        # The sheets of `lockstep hangs`

        Generated from the columns themselves; do not edit. A missing value is an empty cell. What the kinds mean:
        [Find why a job hangs](../how-to/find-why-a-job-hangs.md).
        """;

    @TempDir
    private Path folder;

    @BeforeEach
    void hang() throws IOException {
        HangRun.write(folder, new HangRecipe(HangFault.OTHER_SIZE, 8, 100, 0, false, 3), Workers.none());
    }

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        List<String> dumps = List.of(folder.toString());
        for (int rank = 0; rank < 8; rank++) {
            Files.writeString(folder.resolve("rank" + rank + "_trace.json"), """
                {"schemaVersion": 1, "traceEvents": [
                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]}""");
        }
        List<Path> files = Hangs.files(dumps);
        try (Session session = new Session(1)) {
            Hangs found = Hangs.of(files, Hangs.tracesBeside(dumps, files), "", true, session, read -> {});
            List<Table> tables = found.report().tables();
            assertThat(tables)
                    .extracting(Table::name)
                    .containsExactly(
                            "hang_verdict",
                            "hang_groups",
                            "hang_ranks",
                            "hang_waits_for",
                            "hang_mismatches",
                            "hang_before");
            TableReference.demand("docs/reference/hang-tables.md", HEAD, tables);
        }
    }

    @Test
    void aHangEndsWithOneAndNamesTheCulpritFirst() throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Path csv = folder.resolve("csv");
        assertThat(TestProgram.run(out, err, "hangs", folder, "--csv", csv)).isEqualTo(ExitStatus.GATE_FAILED);
        assertThat(out.toString()).containsPattern("^Rank \\d called [\\s\\S]* where the others called\\s");
        assertThat(Files.readString(csv.resolve("hang_verdict.csv"))).contains("other_size");
    }

    @Test
    void whatExecutesIsRefusedByName() throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Path hostile = Files.write(
                folder.resolve("hostile_0"),
                "\u0080\u0002cos\nsystem\n(X\u0002\0\0\0ls\u0085R.".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(TestProgram.run(out, err, "hangs", hostile)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("instruction GLOBAL", "byte 2");
    }
}
