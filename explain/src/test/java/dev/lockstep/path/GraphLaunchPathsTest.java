// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inside of graphs that are launched as a whole, only the order on streams is known. */
class GraphLaunchPathsTest {
    private static final long US = 1_000;

    /** Edges of each kind as the sheet lists them. */
    private static Map<String, Long> edges(Dependencies.Result result) {
        Table quality = result.tables().stream()
                .filter(table -> table.name().equals("dependency_quality"))
                .findFirst()
                .orElseThrow();
        Map<String, Long> edges = new HashMap<>();
        for (int row = 0; row < quality.rows(); row++) {
            edges.put(
                    quality.strings(quality.schema().indexOf("edge kind")).get(row),
                    quality.longs(quality.schema().indexOf("count")).get(row));
        }
        return edges;
    }

    private static Dependencies.Result run(EventText events) {
        return new Dependencies(
                        WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("A100")),
                        null,
                        new ReportOptions.Paths("all", List.of("host=x1")))
                .run(new DerivedCache(TestTraces.of(events)));
    }

    /** b follows a on another stream, 2 us behind its end: alone that looks like a wait, inside of a graph nothing is said. */
    private static EventText twoBranches(String call, boolean together) {
        EventText events = new EventText().call(call, 10 * US, 2 * US, 1).kernel("a", 15 * US, 40 * US, 1, 7);
        if (!together) {
            events.call(call, 13 * US, 2 * US, 2);
        }
        return events.kernel("b", 57 * US, 33 * US, together ? 1 : 2, 13)
                .call("cudaLaunchKernel", 20 * US, 2 * US, 3)
                .kernel("c", 92 * US, 5 * US, 3, 13);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cudaGraphLaunch", "hipGraphLaunch", "cuGraphLaunch", "cudaGraphLaunch_v10000"})
    void nothingIsInferredInsideOfALaunch(String call) {
        Dependencies.Result together = run(twoBranches(call, true));
        assertThat(edges(together))
                .containsEntry("launch", 3L)
                .containsEntry("stream", 1L)
                .doesNotContainKey("node")
                .doesNotContainKey("inferred");
        assertThat(together.graphLaunches()).isEqualTo(1);
        assertThat(together.activitiesOfGraphs()).isEqualTo(2);
        assertThat(together.graphLaunchesOnSeveralStreams()).isEqualTo(1);

        Dependencies.Result apart = run(twoBranches(call, false));
        assertThat(edges(apart)).containsEntry("inferred", 1L);
        assertThat(apart.graphLaunches()).isEqualTo(2);
        assertThat(apart.graphLaunchesOnSeveralStreams()).isZero();
    }

    /** Every node has the edge from its launch and the one from what ran before it on its stream. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void nodesOfMadeGraphsFollowTheOrderOfTheirStreams(long seed) {
        Random random = new Random(seed);
        EventText events = new EventText();
        Map<Integer, Long> free = new HashMap<>();
        Set<Integer> streams = new HashSet<>();
        long host = 0;
        long nodes = 0;
        long inLaunches = 0;
        int several = 0;
        int launches = 2 + random.nextInt(6);
        for (int launch = 1; launch <= launches; launch++) {
            events.call("cudaGraphLaunch", host, 5 * US, launch);
            Set<Integer> used = new HashSet<>();
            for (int n = 1 + random.nextInt(20); n > 0; n--) {
                int stream = 7 + random.nextInt(3);
                long start = Math.max(host + 6 * US, free.getOrDefault(stream, 0L) + US) + random.nextInt(3_000);
                long duration = US + random.nextInt(50_000);
                events.kernel("k" + nodes++, start, duration, launch, stream);
                free.put(stream, start + duration);
                inLaunches += used.add(stream) ? 0 : 1;
            }
            several += used.size() > 1 ? 1 : 0;
            streams.addAll(used);
            host += 20 * US + random.nextInt(300_000);
        }
        Dependencies.Result result = run(events);
        assertThat(edges(result))
                .containsEntry("launch", nodes)
                .containsEntry("run", nodes)
                .containsEntry("node", inLaunches)
                .containsEntry("stream", nodes - streams.size() - inLaunches);
        assertThat(result.activitiesOfGraphs()).isEqualTo(nodes);
        assertThat(result.graphLaunches()).isEqualTo(launches);
        assertThat(result.graphLaunchesOnSeveralStreams()).isEqualTo(several);
        assertThat(result.path().stream()
                        .mapToLong(piece -> piece.end() - piece.start())
                        .sum())
                .isEqualTo(result.length());
    }

    /** Kernels that are launched one by one take longer to follow each other: that is no sign of a wait for another stream. */
    @Test
    void whatNodesTakeIsNotExpectedOfOthers() {
        EventText events = new EventText();
        for (int i = 1; i <= 40; i++) {
            long at = 500 * US * i;
            events.call("hipGraphLaunch", at, 5 * US, 4L * i);
            long end = at + 90 * US;
            for (int n = 0; n < 20; n++) {
                events.kernel("node" + n, end + 2, 5 * US, 4L * i, 3);
                end += 2 + 5 * US;
            }
            events.call("hipLaunchKernel", at + 6 * US, US, 4L * i + 1)
                    .kernel("alone", end + 1_000, 5 * US, 4L * i + 1, 3)
                    .call("hipLaunchKernel", at + 8 * US, US, 4L * i + 2)
                    .kernel("elsewhere", at + 20 * US, end - at - 20 * US - 300, 4L * i + 2, 5);
        }
        Dependencies.Result result = run(events);
        assertThat(edges(result)).doesNotContainKey("inferred").containsEntry("node", 40L * 19);
        assertThat(result.path().stream()
                        .filter(piece -> piece.pathClass() == PathClass.UNRESOLVED)
                        .mapToLong(piece -> piece.end() - piece.start())
                        .sum())
                .isZero();
    }

    @Test
    void theReportSaysWhatIsKnown() {
        List<String> said =
                PerformanceReport.of(TestTraces.of(twoBranches("cudaGraphLaunch", true)), ReportOptions.standard())
                        .sections()
                        .stream()
                        .filter(FindingsSection.class::isInstance)
                        .flatMap(section -> ((FindingsSection) section).findings().stream())
                        .filter(finding -> finding.code().equals("graph_launches"))
                        .map(finding -> finding.text())
                        .toList();
        assertThat(said)
                .containsExactly("2 activities ran inside graphs, in 1 launch. Dependencies inside a graph are not "
                        + "recorded: only the order on each stream is known. 1 launch used several streams.");
    }
}
