// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.output.PageTables.CategoryRow;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AiuPageTest {
    private static <T extends Chart> T chart(PageFigures figures, PageTables tables, Class<T> kind) throws IOException {
        try (Output output = new Output()) {
            return new AiuPage("t.json", output, figures, tables)
                    .report().sections().stream()
                            .flatMap(section ->
                                    section instanceof ChartSection shown ? Stream.of(shown.chart()) : Stream.empty())
                            .filter(kind::isInstance)
                            .map(kind::cast)
                            .findFirst()
                            .orElseThrow();
        }
    }

    private static CategoryRow row(long pid, String category) {
        return new CategoryRow(pid, "UNKN", category, 10, 1, 1, 1, 1, 1, 1);
    }

    /** To look at all rows for each rank would take five thousand million looks. */
    @Test
    void barsOfManyRanksLeadToTheirRows() throws IOException {
        int ranks = 50_000;
        PageTables tables = new PageTables();
        for (int rank = 0; rank < ranks; rank++) {
            tables.categories.addAll(List.of(row(rank, "MatMul"), row(rank, "Total")));
        }

        List<Bar> bars = chart(new PageFigures(), tables, StackedBars.class).bars();

        assertThat(bars).hasSize(ranks);
        assertThat(bars.getLast())
                .returns("rank 49999", Bar::label)
                .returns(new Evidence.Rows("categories", List.of(2 * ranks - 2, 2 * ranks - 1)), Bar::lead);
    }

    @Test
    void linesOfPowerLeadToTheirRanks() throws IOException {
        PageFigures figures = new PageFigures();
        for (long pid = 3; pid < 6; pid++) {
            figures.add(AiuEvent.counter(new AiuName("Power"), 5, pid, null, Args.of("Watts", 3.5)));
        }

        List<Chart.Points> lines =
                chart(figures, new PageTables(), Scatter.class).series();

        assertThat(lines)
                .extracting(line -> line.leads().getFirst())
                .containsExactly(
                        new Evidence.Rows("power", List.of(0)),
                        new Evidence.Rows("power", List.of(1)),
                        new Evidence.Rows("power", List.of(2)));
    }
}
