// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.gemm.GemmPool;
import dev.lockstep.analyze.gemm.GemmVariance;
import dev.lockstep.analyze.gemm.RankGemms;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/gemm-tables.md} is what the columns say about themselves. After a change of a column, rewrite it with
 * {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class GemmTablesReferenceTest {
    private static final String REFERENCE = "docs/reference/gemm-tables.md";

    private static final String HEAD = """
            # The tables of `lockstep gemm`

            Generated from the columns themselves; do not edit. A missing value is an empty cell. What they mean:
            [Matrix multiplications](../concepts/gemm-variance.md). How the files differ from AORTA's: [Differences](differences.md#matrix-multiplications).

            `gemm variance` writes `gemm_variance`, and behind it `configuration`, the name of the configuration, and `source`, `trace` or `report`.
            The parameters (`col_param: ...`) are those of the models that occur.

            `gemm timestamps` adds `min_duration_timestamp_ms` and `max_duration_timestamp_ms`, the starts of the shortest and the longest kernel on
            the trace's own clock, the first of several; `time_between_min_max_ms`; `min_duration_found_us` and `max_duration_found_us`, their durations; `min_duration_step` and
            `max_duration_step`, the numbers of their steps; `instances_found`, the number of kernels.

            `gemm overlap` adds `overlapping_collective_count`, `overlapping_collective_names` (by start, with `;` between them), `max_overlap_percentage` and
            `max_overlap_collective`, the largest share of the longest kernel that one collective ran for, and which; `total_overlap_duration_ms`, how
            long any of them ran meanwhile; then the columns of `gemm_overlap` from `comm_covered_pct` on. Beside it, `gemm_communication` and
            `gemm_communication_by_configuration` become files of their own.
            """;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        EventText events = new EventText()
                .op(
                        "aten::mm",
                        0,
                        2_000,
                        "\"Input Dims\": [[8, 64], [64, 32]], \"Input type\": [\"float\", \"float\"],"
                                + " \"Input Strides\": [[64, 1], [32, 1]], \"Concrete Inputs\": [\"\", \"\"]")
                .launch("Cijk_k", 500, 4_000, 1_000, 1, 7);
        RankGemms rank = GemmVariance.standard().run(new DerivedCache(TestTraces.of(events)));
        GemmPool pool = new GemmPool();
        pool.add("", rank);
        List<Table> tables = new ArrayList<>(rank.tables());
        tables.addAll(pool.result().tables());
        assertThat(tables).hasSize(4);
        TableReference.demand(REFERENCE, HEAD, tables);
    }
}
