// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.runs.Settings;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepCollectivesTest {
    private static final Schema SCHEMA = Schema.of(
            ColumnSpec.text("Collective name", "Name."),
            ColumnSpec.text("dtype", "Type."),
            ColumnSpec.count("In msg nelems", "Elements."),
            ColumnSpec.text("Process Group Name", "Group."),
            ColumnSpec.count("Group size", "Size."),
            ColumnSpec.real("Full msg size (MB)", Unit.NONE, Unit.NONE, "Size."),
            ColumnSpec.count("count", "Count."),
            ColumnSpec.real("comm_latency_mean", Unit.NANOSECONDS, Unit.MICROSECONDS, "Latency."));

    private static RunSummary point(int threads, TableBuilder table) {
        return new RunSummary(
                threads + "thread_28ch",
                new Settings(threads, 28, -1),
                4,
                RunBreakdown.NONE,
                SummarySheets.collectives(List.of(table.build())));
    }

    private static TableBuilder table() {
        return new TableBuilder("nccl_summary_implicit_sync", "Collectives", SCHEMA);
    }

    private static List<String> ids(SweepCollectives collectives) {
        return collectives.operations().stream()
                .map(o -> collectives.id(o) + " " + o.words())
                .toList();
    }

    @Test
    void sizesAreSaidInTheUnitThatFits() {
        assertThat(sized(4)).isEqualTo("allreduce 4 B");
        assertThat(sized(1536)).isEqualTo("allreduce 1.5 KiB");
        assertThat(sized(96 << 20)).isEqualTo("allreduce 96 MiB");
    }

    private static String sized(long bytes) {
        return new SweepCollectives.Operation("allreduce", "", -1, "", "", -1, bytes / 1024.0 / 1024).words();
    }

    @Test
    void collectivesOfEqualSizeHaveIdsOfTheirOwn() {
        SweepCollectives collectives = SweepCollectives.of(List.of(point(
                256,
                table().row("allreduce", "Float", 3_145_728, "0", 4, 12.0, 2, 100_000.0)
                        .row("allgather", "BFloat16", 1_572_864, "0", 4, 12.0, 2, 100_000.0)
                        .row("allreduce", "Float", 1024, "0", 4, 0.00390625, 2, 100_000.0)
                        .row("allreduce", "Float", 3_145_728, "1", 2, 12.0, 2, 100_000.0))));

        assertThat(ids(collectives))
                .containsExactly(
                        "OP_01 allreduce 4 KiB Float (group 0, 4 ranks)",
                        "OP_02 allgather 12 MiB BFloat16 (group 0, 4 ranks)",
                        "OP_03 allreduce 12 MiB Float (group 1, 2 ranks)",
                        "OP_04 allreduce 12 MiB Float (group 0, 4 ranks)");
    }

    @Test
    void anOperationHasTheSameIdInEveryConfiguration() {
        SweepCollectives collectives = SweepCollectives.of(List.of(
                point(512, table().row("b", "Float", 4, "0", 4, 2.0, 1, 10_000.0)),
                point(
                        256,
                        table().row("b", "Float", 4, "0", 4, 2.0, 1, 30_000.0)
                                .row("a", "Float", 4, "0", 4, 1.0, 1, 5_000.0))));
        Table data = collectives.data();

        assertThat(List.of(
                        data.strings(0).get(0) + " " + data.strings(6).get(0),
                        data.strings(0).get(1) + " " + data.strings(6).get(1),
                        data.strings(0).get(2) + " " + data.strings(6).get(2)))
                .containsExactly("OP_01 256thread_28ch", "OP_02 256thread_28ch", "OP_02 512thread_28ch");
    }

    @Test
    void theGainOfTheRightSettingCountsAllCollectives() {
        SweepCollectives collectives = SweepCollectives.of(List.of(
                point(256, table().row("b", "Float", 4, "0", 4, 2.0, 10, 30_000.0)),
                point(512, table().row("b", "Float", 4, "0", 4, 2.0, 10, 10_000.0))));

        assertThat(collectives.gains()).hasSize(1);
        SweepCollectives.Gain gain = collectives.gains().getFirst();
        assertThat(gain.bestIn()).isEqualTo("512thread_28ch");
        assertThat(gain.worst()).isEqualTo(30);
        assertThat(gain.milliseconds()).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void noConfigurationIsTheWorstWhereAllTakeEquallyLong() {
        Table best = SweepCollectives.of(List.of(
                        point(
                                256,
                                table().row("a", "Float", 4, "0", 4, 1.0, 1, 20_000.0)
                                        .row("b", "Float", 4, "0", 4, 2.0, 1, 10_000.0)),
                        point(
                                512,
                                table().row("a", "Float", 4, "0", 4, 1.0, 1, 20_000.0)
                                        .row("b", "Float", 4, "0", 4, 2.0, 1, 30_000.0))))
                .best();
        int config = best.schema().indexOf("worst config");
        int latency = best.schema().indexOf("worst (µs)");

        assertThat(best.strings(best.schema().indexOf("best config")).get(0)).isEqualTo("256thread_28ch");
        assertThat(best.columns().get(config).isMissing(0)).isTrue();
        assertThat(best.columns().get(latency).isMissing(0)).isTrue();
        assertThat(best.shown(best.schema().indexOf("worst to best %"), 0)).isZero();
        assertThat(best.strings(config).get(1)).isEqualTo("512thread_28ch");
        assertThat(best.shown(latency, 1)).isEqualTo(30);
    }

    @Test
    void timesKeepTheirUnits() {
        Table data = SweepCollectives.of(List.of(point(256, table().row("b", "Float", 4, "0", 4, 2.0, 10, 30_000.0))))
                .data();
        int latency = data.schema().indexOf("comm_latency (µs)_mean");

        assertThat(data.schema().get(latency).shown()).isEqualTo(Unit.MICROSECONDS);
        assertThat(data.shown(latency, 0)).isEqualTo(30);
        assertThat(data.schema().indexOf("Full msg size (MiB)")).isNotNegative();
    }

    @Test
    void collectivesWithoutASizeComeLast() {
        SweepCollectives collectives = SweepCollectives.of(List.of(point(
                256,
                table().row("barrier", null, null, "0", 4, null, 2, 100.0)
                        .row("allreduce", "Float", 1024, "0", 4, 4.0, 2, 100.0))));

        assertThat(ids(collectives))
                .containsExactly("OP_01 allreduce 4 MiB Float (group 0, 4 ranks)", "OP_02 barrier (group 0, 4 ranks)");
    }
}
