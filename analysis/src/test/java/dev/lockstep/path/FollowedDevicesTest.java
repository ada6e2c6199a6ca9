// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What devices and libraries do that is not as simple as one thing after the other. Times are in us. */
class FollowedDevicesTest {
    private static final long US = 1_000;

    private static Dependencies.Result run(EventText events, String... edits) {
        return new Dependencies(
                        WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("A100")),
                        null,
                        new ReportOptions.Paths("all", List.of(edits)))
                .run(new DerivedCache(TestTraces.of(events)));
    }

    private static Table table(Dependencies.Result result, String name) {
        return result.tables().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** How long the recording is with an edit, in ns. */
    private static long after(EventText events, String edit) {
        Table whatIf = table(run(events, edit), "what_if");
        return whatIf.longs(whatIf.schema().indexOf("after_us")).get(0);
    }

    /** Class, name, and duration of the pieces of the path. */
    private static List<String> path(EventText events) {
        Table path = table(run(events), "critical_path");
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            rows.add(path.strings(path.schema().indexOf("class")).get(row) + " "
                    + path.strings(path.schema().indexOf("name")).get(row) + " "
                    + BigDecimal.valueOf(
                                    path.longs(path.schema().indexOf("duration us"))
                                            .get(row),
                                    3)
                            .stripTrailingZeros()
                            .toPlainString());
        }
        return rows;
    }

    /** Edges of each kind as the sheet lists them. */
    private static Map<String, Long> edges(EventText events) {
        Table quality = table(run(events), "dependency_quality");
        Map<String, Long> edges = new HashMap<>();
        for (int row = 0; row < quality.rows(); row++) {
            edges.put(
                    quality.strings(quality.schema().indexOf("edge kind")).get(row),
                    quality.longs(quality.schema().indexOf("count")).get(row));
        }
        return edges;
    }

    // ---- kernels that overlap -----------------------------------------------------------------------------------------

    /** Launched at once: a 5-105, b 100-200, c 201-301; b and a overlap by 5. */
    private static EventText overlapping() {
        return new EventText()
                .launch("a", 0, 5 * US, 100 * US, 1, 7)
                .launch("b", US, 100 * US, 100 * US, 2, 7)
                .launch("c", 2 * US, 201 * US, 100 * US, 3, 7);
    }

    @Test
    void timeThatTwoKernelsOfAStreamShareIsTheFirstOnes() {
        assertThat(path(overlapping()))
                .containsExactly(
                        "launch_latency a 5",
                        "computation a 95",
                        "computation b 100",
                        "kernel_gap c 1",
                        "computation c 100");
    }

    @ParameterizedTest
    @CsvSource({
        "kernel:*=x1, 301",
        // b starts when 95 of 100 parts of a are done, whatever a takes
        "kernel:a=x0.5, 253.5",
        "kernel:a=x0, 206",
        "kernel:a=x2, 396",
        "kernel:b=x0, 201",
        "kernel:*=x0.5, 153.5",
        "kernel:*=x0, 6"
    })
    void aKernelThatOverlapsTheOneBeforeComesWhenThatOneHasDoneAsMuch(String edit, BigDecimal after) {
        assertThat(after(overlapping(), edit)).isEqualTo(after.movePointRight(3).longValueExact());
    }

    @Test
    void fusedKernelsCountOnceWhatTheyDidAtOnce() {
        assertThat(after(overlapping(), "fuse:a,b")).isEqualTo(301 * US);
        assertThat(after(overlapping(), "fuse:a,b=x0.5")).isEqualTo((301 * US) - (195 * US) / 2);
    }

    /** Within a long kernel a short one comes and goes; what follows waits for both. */
    @Test
    void whatFollowsAKernelInsideOfAnotherWaitsForBoth() {
        EventText events = new EventText()
                .launch("long", 0, 5 * US, 100 * US, 1, 7)
                .launch("short", US, 50 * US, 10 * US, 2, 7)
                .launch("next", 2 * US, 106 * US, 100 * US, 3, 7);
        assertThat(path(events)).contains("computation long 100", "kernel_gap next 1");
        assertThat(after(events, "kernel:long=x0.2")).isEqualTo(206 * US - 75 * US - 2 * US);
        assertThat(after(events, "kernel:short=x0")).isEqualTo(206 * US);
    }

    /** Circles between moments of one time are cut elsewhere, and overlaps stay. */
    @Test
    void overlapsAreNotCutWithCircles() {
        GraphBuilder builder = new GraphBuilder();
        int track = builder.track(new PathTrack(0, "stream 7", "0"));
        int x = builder.vertex(0, track, PathClass.HOST);
        int y = builder.vertex(0, track, PathClass.HOST);
        int start = builder.vertex(0, track, PathClass.COMPUTATION);
        int end = builder.vertex(100, track, PathClass.COMPUTATION);
        int nextStart = builder.vertex(90, track, PathClass.COMPUTATION);
        int nextEnd = builder.vertex(190, track, PathClass.COMPUTATION);
        builder.edge(EdgeKind.WAIT, x, y, 0);
        builder.edge(EdgeKind.WAIT, y, x, 0);
        builder.edge(EdgeKind.THREAD, y, start, 0);
        builder.edge(EdgeKind.RUN, start, end, 100);
        builder.overlap(EdgeKind.STREAM, end, nextStart);
        builder.edge(EdgeKind.RUN, nextStart, nextEnd, 100);
        DependencyGraph graph = builder.build();
        assertThat(graph.source(nextStart, EdgeKind.STREAM)).isEqualTo(end);
        graph.proveIdentity();
    }

    // ---- what launches take -------------------------------------------------------------------------------------------

    /** Calls of 4 to 13 us, one of 900; kernels start this long after they begin, or end. */
    private static EventText launches(boolean fromEnds, long later) {
        EventText events = new EventText();
        long host = 0;
        for (int i = 0; i < 12; i++) {
            long call = i == 6 ? 900 : 4 + i % 10;
            events.call("cudaLaunchKernel", host * US, call * US, i + 1);
            events.kernel("k", (host + (fromEnds ? call : 0) + later) * US, 20 * US, i + 1, 7);
            host += call + 40;
        }
        return events.call("cudaDeviceSynchronize", host * US, US, 100);
    }

    @Test
    void startsFollowTheEndsOfCallsWhereTheyDo() {
        EventText events = launches(true, 2);
        // the host has 12 x 40, and all of its calls; what stays is the kernels, a launch, and the last to wait
        assertThat(after(events, "host=x0")).isBetween(12 * 20 * US, 12 * 20 * US + 8 * US);
        assertThat(path(events)).contains("host cudaLaunchKernel 900").noneMatch(piece -> piece.contains("unresolved"));
    }

    @Test
    void startsFollowTheBeginningsOfCallsWhereTheyDo() {
        EventText events = launches(false, 15);
        assertThat(path(events)).contains("launch_latency k 15");
        assertThat(after(events, "launch=0")).isEqualTo(after(events, "host=x1") - 15 * US + 15 * US);
    }

    /** The call of 900 us lasts on after its kernel has started: it did not load it first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCallThatLastsOnHasLaunchedBefore(boolean fromEnds) {
        EventText events = launches(fromEnds, fromEnds ? 2 : 15)
                .call("cudaLaunchKernel", 2_000 * US, 500 * US, 50)
                .kernel("early", 2_020 * US, 400 * US, 50, 7);
        assertThat(after(events, "kernel:early=x0")).isEqualTo(after(events, "host=x1"));
        long alone = after(events, "host=x0");
        assertThat(alone).isLessThan(1_000 * US);
    }
}
