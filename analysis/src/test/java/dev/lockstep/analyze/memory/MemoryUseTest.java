// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryUseTest {
    private static final MemoryUse USE = new MemoryUse(null, 1);

    private static String event(double ts, long bytes, long address, long total, long reserved) {
        return "{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1,"
                + " \"tid\": 1, \"ts\": "
                + ts + ", \"args\": {\"Total Reserved\": " + reserved + ", \"Total Allocated\": " + total
                + ", \"Bytes\": " + bytes
                + ", \"Addr\": " + address + ", \"Device Id\": 0, \"Device Type\": 1}}";
    }

    private static String slice(String category, String name, double ts, double dur, String more) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name
                + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" + more + "}}";
    }

    /**
     * Worked by hand: 1000 bytes lie there before. Step 1: an activation of 300, a workspace of 500, both gone at the end but
     * for a cache of 50. Step 2: a gradient of 200 and again 50. Step 3: 50 and an old block of 400 goes. Step 4: 50.
     */
    private static List<String> steps() {
        String gradients = "autograd::engine::evaluate_function: MmBackward0";
        return List.of(
                slice("user_annotation", "ProfilerStep#1", 0, 100, ""),
                slice("python_function", "nn.Module: Linear_0", 1, 30, ""),
                slice("cpu_op", "aten::linear", 5, 20, "\"Input Dims\": [[2, 3]]"),
                slice("cpu_op", "aten::mm", 10, 5, ""),
                event(6, 300, 1, 1300, 2000),
                event(11, 500, 2, 1800, 2000),
                event(14.999, -500, 2, 1300, 2000),
                event(15, 50, 3, 1350, 2000),
                slice("cpu_op", gradients, 40, 10, ""),
                event(45, -300, 1, 1050, 2000),
                slice("user_annotation", "ProfilerStep#2", 100, 100, ""),
                slice("cpu_op", gradients, 110, 10, ""),
                event(111, 200, 4, 1250, 3000),
                event(130, 50, 5, 1300, 3000),
                slice("user_annotation", "Optimizer.zero_grad#SGD.zero_grad", 150, 10, ""),
                event(151, -200, 4, 1100, 3000),
                slice("user_annotation", "ProfilerStep#3", 200, 100, ""),
                event(210, -400, 77, 700, 3000),
                event(211, 50, 6, 750, 3000),
                slice("user_annotation", "ProfilerStep#4", 300, 100, ""),
                event(310, 50, 7, 800, 3000));
    }

    private static MemoryUse.Result run(List<String> events) {
        return USE.run(new DerivedCache(TestTraces.of(String.join(",\n", events))));
    }

    private static List<String> rows(MemoryUse.Result result, String sheet, String... columns) {
        Table table = result.tables().stream()
                .filter(one -> one.name().equals(sheet))
                .findFirst()
                .orElseThrow();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            List<String> cells = new ArrayList<>();
            for (String column : columns) {
                int at = table.schema().indexOf(column);
                cells.add(new CellText(table, at, CellStyle.PLAIN).at(row));
            }
            rows.add(String.join(" | ", cells));
        }
        return rows;
    }

    @Test
    void stepsBeginPeakAndEndAsWorkedByHand() {
        assertThat(rows(
                        run(steps()),
                        "memory_steps",
                        "step",
                        "start bytes",
                        "peak bytes",
                        "peak at us",
                        "end bytes",
                        "allocs",
                        "alloc bytes",
                        "frees",
                        "free bytes",
                        "reserved bytes",
                        "fragmentation bytes"))
                .containsExactly(
                        "all | 1000 | 1800 | 11 | 800 | 7 | 1200 | 4 | 1400 | 2000 | 200",
                        "ProfilerStep#1 | 1000 | 1800 | 11 | 1050 | 3 | 850 | 2 | 800 | 2000 | 200",
                        "ProfilerStep#2 | 1050 | 1300 | 130 | 1100 | 2 | 250 | 1 | 200 | 3000 | 1700",
                        "ProfilerStep#3 | 1100 | 1100 | 200 | 750 | 1 | 50 | 1 | 400 | 3000 | 1900",
                        "ProfilerStep#4 | 750 | 800 | 310 | 800 | 1 | 50 | 0 | 0 | 3000 | 2200");
    }

    @Test
    void thePeakIsThatOfItsOwners() {
        assertThat(rows(run(steps()), "memory_peak", "owner", "module", "dims", "blocks", "bytes", "lifetime class"))
                .containsExactly(
                        "baseline |  |  |  | 1000 | baseline",
                        "aten::mm | Linear_0 |  | 1 | 500 | workspace",
                        "aten::linear | Linear_0 | [[2, 3]] | 1 | 300 | activation");
        assertThat(rows(run(steps()), "memory_ops", "op", "allocs", "bytes", "net", "largest"))
                .containsExactly(
                        "aten::mm | 1 | 500 | 0 | 500",
                        "aten::linear | 2 | 350 | 350 | 300",
                        "autograd::engine::evaluate_function: MmBackward0 | 1 | 200 | -100 | 200",
                        "(outside of operators) | 3 | 150 | -250 | 50",
                        "Optimizer.zero_grad#SGD.zero_grad | 0 | 0 | -200 | 0");
        assertThat(rows(run(steps()), "memory_loss", "kind", "count", "bytes"))
                .containsExactly("unmatched_free | 1 | 400");
    }

    @Test
    void lifetimesTellWhatBlocksAreFor() {
        DeviceMemory device = run(steps()).devices().getFirst();

        List<Lifetime> found = new ArrayList<>();
        for (int i = 0; i < device.log().size(); i++) {
            if (device.log().givesOut(i)) {
                found.add(device.lifetime(i));
            }
        }
        assertThat(found)
                .containsExactly(
                        Lifetime.ACTIVATION,
                        Lifetime.WORKSPACE,
                        Lifetime.PERSISTENT,
                        Lifetime.GRADIENT,
                        Lifetime.PERSISTENT,
                        Lifetime.PERSISTENT,
                        Lifetime.STEP);
    }

    @Test
    void orderInTheFileMakesNoDifference() {
        List<Object> expected = tables(run(steps()));
        Random random = new Random(7);
        for (int i = 0; i < 20; i++) {
            List<String> shuffled = new ArrayList<>(steps());
            Collections.shuffle(shuffled, random);
            assertThat(tables(run(shuffled))).isEqualTo(expected);
        }
    }

    private static List<Object> tables(MemoryUse.Result result) {
        List<Object> all = new ArrayList<>();
        for (Table table : result.tables()) {
            for (int row = 0; row < table.rows(); row++) {
                for (int column = 0; column < table.schema().size(); column++) {
                    all.add(new CellText(table, column, CellStyle.PLAIN).at(row));
                }
            }
        }
        return all;
    }

    @Test
    void aBrokenTotalIsBelievedAndStandsAmongTheOwners() {
        MemoryUse.Result result =
                run(List.of(event(1, 100, 1, 600, 1000), event(2, 50, 2, 700, 1000), event(3, 10, 3, 710, 1000)));

        assertThat(rows(result, "memory_loss", "kind", "count", "bytes")).containsExactly("broken_total | 1 | 50");
        assertThat(rows(result, "memory_peak", "owner", "bytes", "lifetime class"))
                .containsExactly(
                        "baseline | 500 | baseline",
                        "(outside of operators) | 160 | persistent",
                        "(not explained by blocks) | 50 | unexplained");
    }

    /** Nothing is left of 100 bytes, which is a total, too. */
    @Test
    void aBlockThatIsGivenBackWasThereBefore() {
        assertThat(rows(
                        run(List.of(event(1, -100, 1, 0, 1000))),
                        "memory_steps",
                        "start bytes",
                        "peak bytes",
                        "end bytes"))
                .containsExactly("100 | 100 | 0");
    }

    @Test
    void anAddressThatIsGivenOutTwiceIsCounted() {
        MemoryUse.Result result = run(List.of(event(1, 100, 1, 100, 1000), event(2, 30, 1, 130, 1000)));

        assertThat(rows(result, "memory_loss", "kind", "count", "bytes")).containsExactly("lost_free | 1 | 100");
        assertThat(rows(result, "memory_peak", "owner", "bytes"))
                .containsExactly("(not explained by blocks) | 100", "(outside of operators) | 30", "baseline | 0");
    }

    @Test
    void differencesAddUpToThatOfThePeaks() {
        MemoryUse.Result one = run(steps());
        MemoryUse.Result two = run(List.of(event(1, 4096, 9, 5000, 6000)));

        List<MemoryDifference.Row> rows = MemoryDifference.of(one, two);

        assertThat(rows.stream().mapToLong(MemoryDifference.Row::difference).sum())
                .isEqualTo(5000 - 1800);
        assertThat(MemoryDifference.of(one, one)).allMatch(row -> row.difference() == 0);
        assertThat(rows.getFirst()).isEqualTo(new MemoryDifference.Row("0", "(outside of operators)", 0, 4096));
    }

    @Test
    void aTraceWithoutMemoryEventsSaysHowToRecordThem() {
        Trace trace = TestTraces.of(slice("cpu_op", "aten::mm", 1, 1, ""));

        MemoryUse.Result result = USE.run(new DerivedCache(trace));

        assertThat(result.tables()).isEmpty();
        assertThat(result.notApplicable()).contains("profile_memory=True");
    }
}
