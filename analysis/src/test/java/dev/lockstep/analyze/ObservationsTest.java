// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservationsTest {
    private static List<String> of(EventText events) {
        return Observations.of(new DerivedCache(
                        TestTraces.parse("{\"distributedInfo\": {\"rank\": 0}, \"traceEvents\": [" + events + "]}")))
                .stream()
                .map(entry -> entry.count() + " " + entry.code())
                .toList();
    }

    private static EventText stepped() {
        return new EventText().annotation("ProfilerStep#1", 0, 1_000_000);
    }

    @Test
    void nothingIsSaidOfASoundTrace() {
        assertThat(of(stepped().op("aten::mm", 1_000, 9_000).launch("gemm", 2_000, 20_000, 5_000, 1, 7)))
                .isEmpty();
    }

    @Test
    void deviceActivitiesAndLaunchesWithoutTheOtherAreCounted() {
        EventText events = stepped()
                .launch("a", 2_000, 20_000, 5_000, 1, 7)
                .kernel("unlaunched", 30_000, 5_000, 77, 7)
                .kernel("unlaunched", 40_000, 5_000, 78, 7)
                .call("cudaLaunchKernel", 50_000, 1_000, 90)
                .call("cudaLaunchKernel", 52_000, 1_000, 91)
                .call("cudaLaunchKernel", 54_000, 1_000, 92)
                .call("cudaMemcpyAsync", 56_000, 1_000, 93);
        assertThat(of(events)).containsExactly("3 no_device_activity", "2 no_launch");
    }

    @Test
    void deviceWorkBeforeItsLaunchTellsOfClocksThatDisagree() {
        EventText events = stepped().launch("a", 2_000, 1_999, 5_000, 1, 7).launch("b", 20_000, 20_000, 5_000, 2, 7);
        assertThat(of(events)).containsExactly("1 before_launch");
    }

    @Test
    void arrowsWithoutTheirOtherEndAreCounted() {
        EventText events = stepped().launch("a", 2_000, 20_000, 5_000, 1, 7);
        for (int id = 50; id < 53; id++) {
            events.raw("{\"ph\": \"s\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": " + id
                    + ", \"pid\": 1, \"tid\": 1, \"ts\": 3}");
        }
        events.raw("{\"ph\": \"f\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": 60, \"pid\": 0, \"tid\": 7, \"ts\":"
                + " 21}");
        assertThat(of(events)).containsExactly("4 lonely_flow");
    }

    @Test
    void anArrowOfAnotherCategoryIsNoOtherEnd() {
        EventText events = stepped()
                .launch("a", 2_000, 20_000, 5_000, 1, 7)
                .raw("{\"ph\": \"s\", \"cat\": \"one\", \"name\": \"x\", \"id\": 9, \"pid\": 1, \"tid\": 1, \"ts\": 3}")
                .raw(
                        "{\"ph\": \"f\", \"cat\": \"other\", \"name\": \"x\", \"id\": 9, \"pid\": 0, \"tid\": 7, \"ts\": 21}");
        assertThat(of(events)).containsExactly("2 lonely_flow");
    }

    /** However categories are numbered, no sum of id and category takes one arrow for another. */
    @Test
    void arrowsOfManyCategoriesAreToldApart() {
        EventText events = stepped().launch("a", 2_000, 20_000, 5_000, 1, 7);
        for (int category = 0; category < 70; category++) {
            for (String end : List.of("\"s\", \"id\": 5", "\"f\", \"id\": 6")) {
                events.raw("{\"ph\": " + end + ", \"cat\": \"c" + category
                        + "\", \"name\": \"x\", \"pid\": 1, \"tid\": 1, \"ts\": 3}");
            }
        }
        assertThat(of(events)).containsExactly("140 lonely_flow");
    }

    @Test
    void launchesThatShareACorrelationAreAmbiguous() {
        EventText events = stepped()
                .call("cudaLaunchKernel", 1_000, 500, 1)
                .call("cudaLaunchKernel", 2_000, 500, 1)
                .kernel("a", 20_000, 5_000, 1, 7);
        assertThat(of(events)).contains("1 ambiguous_correlation", "1 no_device_activity");
    }

    @Test
    void slicesThatOutliveTheirParentAreCounted() {
        EventText events = stepped().op("outer", 1_000, 10_000).op("inner", 5_000, 10_000);
        assertThat(of(events)).containsExactly("1 outlives_parent");
    }

    @Test
    void withoutMarksOfStepsItIsSaidWhetherAPatternWasFound() {
        EventText events = new EventText().launch("a", 2_000, 20_000, 5_000, 1, 7);
        assertThat(of(events)).containsExactly("1 no_steps");
        EventText repeated = new EventText();
        for (int i = 0; i < 6; i++) {
            long at = i * 1_000_000L;
            repeated.launch("first", at, at + 20_000, 50_000, 3 * i + 1, 7)
                    .launch("second", at + 2_000, at + 80_000, 60_000, 3 * i + 2, 7)
                    .launch("third", at + 4_000, at + 150_000, 70_000, 3 * i + 3, 7);
        }
        assertThat(of(repeated)).containsExactly("1 no_steps", "6 repeating_section");
    }
}
