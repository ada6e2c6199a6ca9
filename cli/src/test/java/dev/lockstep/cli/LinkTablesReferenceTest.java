// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.links.Links;
import dev.lockstep.synth.InspectorFault;
import dev.lockstep.synth.InspectorRecipe;
import dev.lockstep.synth.InspectorRun;
import dev.lockstep.synth.Workers;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/link-tables.md} is what the columns say about themselves. After a change of a column, rewrite it with
 * {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class LinkTablesReferenceTest {
    private static final String HEAD = """
        # The sheets of `lockstep links`

        Generated from the columns themselves; do not edit. A missing value is an empty cell. What the kinds mean:
        [Find a slow link](../how-to/find-a-slow-link.md).
        """;

    @TempDir
    private Path folder;

    @BeforeEach
    void slowAdapter() throws IOException {
        InspectorRun.write(folder, new InspectorRecipe(InspectorFault.SLOW_NIC, 32, 40, 0.3, 0, 3), Workers.none());
    }

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        List<Table> tables =
                Links.of(Links.files(List.of(folder.toString())), "").report().tables();
        assertThat(tables)
                .extracting(Table::name)
                .containsExactly(
                        "link_verdict", "link_bandwidth", "link_history", "link_changes", "link_ranks", "link_losses");
        TableReference.demand("docs/reference/link-tables.md", HEAD, tables);
    }

    @Test
    void theVerdictComesFirstAndFiguresGoToPrometheus() throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Path figures = folder.resolve("links.prom");
        assertThat(TestProgram.run(out, err, "links", folder, "--prometheus", figures))
                .isEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString()).startsWith("Rank ").contains("has a slow network adapter");
        assertThat(Files.readString(figures))
                .contains("lockstep_link_bandwidth_loss_ratio{", "lockstep_rank_late_time_seconds{", "rank=\"31\"");
    }

    @Test
    void aDamagedRecordCostsNoOther() throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Path log = Files.list(folder)
                .filter(file -> file.toString().endsWith(".log"))
                .sorted()
                .findFirst()
                .orElseThrow();
        Files.write(log, "{\"header\":{\"id\":\n".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        assertThat(TestProgram.run(out, err, "links", folder, "--csv", folder.resolve("csv")))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("1 damaged record");
        assertThat(out.toString()).contains("has a slow network adapter");
    }
}
