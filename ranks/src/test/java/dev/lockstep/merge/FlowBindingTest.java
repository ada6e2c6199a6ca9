// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static dev.lockstep.merge.MergedFiles.merge;
import static dev.lockstep.merge.MergedFiles.rank;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.merge.MergedFiles.Merged;
import dev.lockstep.testkit.EventText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowBindingTest {
    private final EventText events = new EventText();

    private FlowBindingTest host(String name, long ts, long dur, long correlation) {
        events.complete("cuda_runtime", name, "1", "1", ts * 1000, dur * 1000, "\"correlation\": " + correlation);
        return this;
    }

    private FlowBindingTest kernel(String name, long ts, long dur, long correlation) {
        events.complete("kernel", name, "0", "7", ts * 1000, dur * 1000, "\"correlation\": " + correlation);
        return this;
    }

    private FlowBindingTest flow(char phase, long id, boolean device, long ts) {
        events.raw("{\"ph\": \"" + phase + "\", \"id\": " + id + ", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"pid\": "
                + (device ? 0 : 1) + ", \"tid\": " + (device ? 7 : 1) + ", \"ts\": " + ts + "}");
        return this;
    }

    private Merged merged() throws IOException {
        return merge(List.of(rank(0, 1, events.toString())));
    }

    /** Ends of arrows as phase, id and time. */
    private static List<String> ends(Merged merged) {
        return merged.lines("\"cat\":\"ac2g\"").stream()
                .map(line -> line.replaceFirst(".*\"ph\":\"(.)\",\"id\":(\\d+).*\"ts\":([\\d.]+).*", "$1 $2 $3"))
                .toList();
    }

    @Test
    void ofSlicesAtOneMomentTheOneWithTheCorrelationIsTouched() throws IOException {
        host("outer", 10, 9, 5).host("inner", 10, 3, -1).kernel("k", 30, 5, 5);
        Merged merged = flow('s', 5, false, 10).flow('f', 5, true, 30).merged();
        assertThat(ends(merged)).containsExactly("s 5 10", "f 5 30");
        assertThat(merged.text().indexOf("\"ph\":\"s\""))
                .isLessThan(merged.text().indexOf("\"inner\""));
    }

    @Test
    void slicesThatFollowWithoutAGapAreNotKeptForLaterArrows() throws IOException {
        int n = 40_000;
        for (int i = 0; i < n; i++) {
            host("h", i, 1, -1).flow('s', i + 1, false, i + 1).flow('f', i + 1, true, n);
        }
        kernel("k", n, 5, -1);
        assertThat(ends(merged())).hasSize(2 * n).startsWith("s 1 1");
    }

    @Test
    void anIdThatIsUsedAgainMakesAnotherArrow() throws IOException {
        host("a", 10, 2, 5).host("b", 20, 2, 5).kernel("k", 12, 2, 5).kernel("l", 22, 2, 5);
        flow('s', 5, false, 10).flow('f', 5, true, 12).flow('s', 5, false, 20).flow('f', 5, true, 22);
        assertThat(ends(merged())).containsExactly("s 5 10", "f 5 12", "s 8000000001 20", "f 8000000001 22");
    }

    @Test
    void endsWithoutAPartnerAreCounted() throws IOException {
        host("a", 10, 2, 5).kernel("k", 12, 2, 6);
        Merged merged = flow('s', 5, false, 10).flow('f', 6, true, 12).merged();
        assertThat(ends(merged)).isEmpty();
        assertThat(merged.summary().leftOut())
                .isEqualTo(Map.of(Reason.FLOW_WITHOUT_START, 1L, Reason.FLOW_WITHOUT_END, 1L));
    }

    @Test
    void anArrowOfWhichOneEndIsFilteredOutIsCountedWithBothEnds() throws IOException {
        for (String filter : List.of("cat=kernel", "cat=cuda_runtime")) {
            FlowBindingTest events = new FlowBindingTest().host("a", 10, 2, 5).kernel("k", 12, 2, 5);
            events.flow('s', 5, false, 10).flow('f', 5, true, 12);
            MergeFilter one = new MergeFilter(List.of(MergeFilter.parse(filter, true)), false);
            Merged merged = merge(List.of(rank(0, 1, events.events.toString())), new MergeOptions(one, false));
            assertThat(ends(merged)).isEmpty();
            assertThat(merged.summary().leftOut()).isEqualTo(Map.of(Reason.CATEGORY, 1L, Reason.FLOW_OF_FILTERED, 2L));
        }
    }

    @Test
    void endsWithoutASliceAreCounted() throws IOException {
        host("a", 10, 2, 5).kernel("k", 12, 2, 5);
        Merged merged = flow('s', 5, false, 10).flow('f', 5, true, 15).merged();
        assertThat(merged.summary().leftOut())
                .isEqualTo(Map.of(Reason.FLOW_WITHOUT_SLICE, 1L, Reason.FLOW_WITHOUT_END, 1L));
    }

    @Test
    void slicesOfDifferentCorrelationAreNotJoined() throws IOException {
        host("a", 10, 2, 5).kernel("k", 12, 2, 6);
        Merged merged = flow('s', 5, false, 10).flow('f', 5, true, 12).merged();
        assertThat(merged.summary().leftOut())
                .isEqualTo(Map.of(Reason.FLOW_CORRELATION, 1L, Reason.FLOW_WITHOUT_END, 1L));
    }

    @Test
    void aKernelThatSeemsToBeginBeforeItsLaunchKeepsItsArrow() throws IOException {
        host("a", 10, 2, 5).kernel("k", 8, 5, 5);
        Merged merged = flow('s', 5, false, 10).flow('f', 5, true, 8).merged();
        assertThat(ends(merged)).containsExactlyInAnyOrder("s 5 10", "f 5 10.001");
    }

    @Test
    void aKernelThatSeemsToEndBeforeItsLaunchLosesItsArrow() throws IOException {
        host("a", 10, 2, 5).kernel("k", 8, 1, 5);
        Merged merged = flow('s', 5, false, 10).flow('f', 5, true, 8).merged();
        assertThat(merged.summary().leftOut())
                .isEqualTo(Map.of(Reason.FLOW_BACKWARDS, 1L, Reason.FLOW_WITHOUT_END, 1L));
    }
}
