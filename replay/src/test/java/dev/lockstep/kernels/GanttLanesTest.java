// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GanttLanesTest {
    @Test
    void kernelsOfAStreamThatRunTogetherGetLanesOfTheirOwn() {
        EventText events = new EventText()
                .kernel("a", 0, 100_000, 1, 7)
                .kernel("b", 50_000, 20_000, 2, 7)
                .kernel("c", 100_000, 20_000, 3, 7)
                .kernel("ncclDevKernel_AllReduce", 0, 300, 4, 8);
        GanttLanes lanes = GanttLanes.of(TestTraces.of(events), Set.of());
        assertThat(lanes.lanes())
                .extracting(GanttLane::stream, GanttLane::level, GanttLane::size)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("7", 0, 2),
                        org.assertj.core.groups.Tuple.tuple("7", 1, 1),
                        org.assertj.core.groups.Tuple.tuple("8", 0, 1));
        assertThat(lanes.lanes().getLast().kind()[0]).isEqualTo((byte) KernelClass.COMMUNICATION.ordinal());
    }

    @Test
    void mangledNamesStandInTheWordsOfTheirSource() {
        Trace trace = TestTraces.of(new EventText().kernel("_ZN2at4sortIfEEvPT_i", 0, 100_000, 1, 7));
        GanttLanes lanes = GanttLanes.of(trace, Set.of());
        assertThat(lanes.name(lanes.lanes().getFirst().name()[0])).isEqualTo("void at::sort<float>(float*, int)");

        Kernels kernels = Kernels.of(trace, null, UniqueKernels.Selection.standard());
        assertThat(kernels.report("x").tables().getFirst().columns())
                .anySatisfy(column -> assertThat(column.value(0)).isEqualTo("void at::sort<float>(float*, int)"));
    }

    @Test
    void eachDeviceHasAListOfItsOwnWhateverItsName(@TempDir Path folder) throws IOException {
        StringBuilder events = new StringBuilder();
        for (String device : List.of("a b", "a/b", "../../x", "d".repeat(300))) {
            events.append("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":\"" + device
                    + "\",\"tid\":7,\"ts\":1,\"dur\":2,\"args\":" + "{\"device\":\"" + device + "\",\"stream\":7}},\n");
        }
        GanttLanes lanes = GanttLanes.of(TestTraces.of(events.toString()), Set.of());
        GanttChart.of(List.of(new GanttChart.Rank(0, "r", lanes, lanes.start())))
                .writeLists(folder);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).toList())
                    .hasSize(4)
                    .contains("kernels_rank0_gpua_b.csv", "kernels_rank0_gpua_b_2.csv", "kernels_rank0_gpu.._.._x.csv");
        }
    }

    @Test
    void whatTookNoTimeIsCountedWhereItBegins() {
        GanttLanes lanes = GanttLanes.of(
                TestTraces.of(new EventText().kernel("a", 0, 0, 1, 7).kernel("b", 5_000, 0, 2, 7)), Set.of());
        GanttChart chart = GanttChart.of(List.of(new GanttChart.Rank(0, "r", lanes, lanes.start())));

        assertThat(chart.kernels()).isEqualTo(2);
        assertThat(chart.within(1, 4_000).kernels()).isZero();
        assertThat(chart.within(0, 4_000).kernels()).isEqualTo(1);
    }

    @Test
    void whatIsJoinedLosesNeitherKernelsNorTimeNorClasses() {
        GanttLane lane = lane(50_000, new Random(3));
        long to = lane.end()[lane.size() - 1];
        GanttBars bars = lane.bars(0, to, 1000);
        assertThat(bars.size()).isLessThan(4_000);
        long[] busy = new long[KernelClass.values().length];
        long kernels = 0;
        for (int i = 0; i < bars.size(); i++) {
            kernels += bars.merged(i);
            busy[bars.kind(i)] += bars.busy(i);
            assertThat(bars.busy(i)).isBetween(1L, bars.end(i) - bars.start(i));
            assertThat(bars.start(i)).isGreaterThanOrEqualTo(i == 0 ? 0 : bars.start(i - 1));
            assertThat(bars.name(i) < 0 || bars.merged(i) == 1).isTrue();
        }
        assertThat(kernels).isEqualTo(lane.size());
        for (KernelClass kind : KernelClass.values()) {
            assertThat(busy[kind.ordinal()]).isEqualTo(lane.busy(kind, 0, to));
        }
    }

    /** Kernels one after the other, most of them short, every seventh of them communication. */
    private static GanttLane lane(int n, Random random) {
        long[] start = new long[n];
        long[] end = new long[n];
        byte[] kind = new byte[n];
        long at = 0;
        for (int i = 0; i < n; i++) {
            start[i] = at;
            end[i] = at + 1 + random.nextInt(i % 1000 == 0 ? 500_000 : 2_000);
            at = end[i] + random.nextInt(500);
            kind[i] = (byte) (i % 7 == 0 ? KernelClass.COMMUNICATION : KernelClass.COMPUTE).ordinal();
        }
        return new GanttLane("0", "7", 0, start, end, kind, new int[n]);
    }

    @Test
    void aColumnTellsHowLongEachClassRanInIt() {
        byte communication = (byte) KernelClass.COMMUNICATION.ordinal();
        long[] start = {0, 40, 95, 500, 800};
        long[] end = {30, 50, 115, 510, 1000};
        GanttLane lane = new GanttLane(
                "0", "7", 0, start, end, new byte[] {0, communication, 0, 0, 0}, new int[] {1, 2, 3, 4, 5});

        GanttBars bars = lane.bars(0, 1000, 10);

        assertThat(described(bars))
                .containsExactly(
                        "0..100 class 0: 2 ran 35",
                        "0..100 class " + communication + ": 1 ran 10",
                        "100..115 class 0: 0 ran 15",
                        "500..510 class 0: 1 ran 10",
                        "800..1000 class 0: 1 ran 200");
        assertThat(described(lane.bars(45, 100, 1)))
                .containsExactly("45..100 class 0: 1 ran 5", "45..100 class " + communication + ": 1 ran 5");
    }

    private static List<String> described(GanttBars bars) {
        return IntStream.range(0, bars.size())
                .mapToObj(i -> bars.start(i) + ".." + bars.end(i) + " class " + bars.kind(i) + ": " + bars.merged(i)
                        + " ran " + bars.busy(i))
                .toList();
    }

    @Test
    void ranksWithoutACommonTimeBeginTogether() {
        GanttLanes early = GanttLanes.of(TestTraces.of(new EventText().kernel("a", 0, 10, 1, 7)), Set.of());
        GanttLanes late = GanttLanes.of(TestTraces.of(new EventText().kernel("a", 5_000, 10, 1, 7)), Set.of());
        GanttChart chart =
                GanttChart.of(List.of(new GanttChart.Rank(0, "a", early, 0), new GanttChart.Rank(1, "b", late, 0)));
        assertThat(chart.shared()).isFalse();
        assertThat(chart.to()).isEqualTo(10);
        assertThat(chart.kernels()).isEqualTo(2);
    }
}
