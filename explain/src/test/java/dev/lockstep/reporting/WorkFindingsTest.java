// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

/**
 * An H100 multiplies bf16 at 989.4e12 operations a second and moves 3350e9 bytes a second. A product of 4096 x 4096 by
 * 4096 x 4096 takes 2 * 4096^3 = 137,438,953,472 operations: 138.911 us at best.
 */
class WorkFindingsTest {
    private static final String SHAPES = "\"Input Dims\": [[2, 3]]";

    private static String product(int m) {
        return "\"Input Dims\": [[" + m + ", 4096], [4096, 4096]], \"Input type\": [\"c10::BFloat16\","
                + " \"c10::BFloat16\"], \"Input Strides\": [[4096, 1], [4096, 1]], \"Concrete Inputs\": [\"\", \"\"]";
    }

    private static Trace h100(EventText events) {
        return TestTraces.parse("{\"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\"}],"
                + "\"traceEvents\": [" + events + "]}");
    }

    @Test
    void productsAreComparedWithTheLeastTimeTheyNeed() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10_000, product(4096))
                .launch("gemm", 1_000, 100_000, 200_000, 1, 7)
                .op("aten::mm", 20_000, 10_000, product(8192))
                .launch("gemm", 21_000, 300_000, 300_000, 2, 7);
        // (138.911 + 277.823) / 500 = 83.3 %; 61.089 + 22.177 = 83.3 us lie between, more than a tenth of 500.
        assertThat(Said.of(h100(events), "below_roofline"))
                .containsExactly(
                        "NOTICE below_roofline: Modelled operators reach 83 % of the H100 roofline. Reaching it "
                                + "would save up to 83.3 µs of 500 µs. Largest: aten::mm [[4096, 4096], [4096, 4096]] (200 "
                                + "µs at 69 %), aten::mm [[8192, 4096], [4096, 4096]] (300 µs at 93 %).");
        assertThat(Said.of(h100(events), "above_roofline")).isEmpty();
        assertThat(Said.of(h100(events), "work_coverage"))
                .containsExactly(
                        "INFO work_coverage: FLOPs and bytes are known for 100 % of the device time (GEMM 100 %).");
    }

    @Test
    void callsOfEqualShapesAreOneWhateverThreadTheyRanOn() {
        EventText events = new EventText();
        for (int thread = 1; thread <= 3; thread++) {
            events.raw("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": " + thread
                    + ", \"args\": {\"name\": \"thread " + thread + "\"}}");
        }
        for (int i = 1; i <= 6; i++) {
            String thread = Integer.toString(Math.min(i, 3));
            long at = 1_000_000L * i;
            events.complete("cpu_op", "aten::mm", "1", thread, at, 20_000, product(i <= 3 ? 4096 : 4096 + i))
                    .complete(
                            "cuda_runtime", "cudaLaunchKernel", "1", thread, at + 1_000, 5_000, "\"correlation\": " + i)
                    .kernel("gemm", at + 30_000, i <= 3 ? 200_000 : 300_000, i, 7);
        }
        assertThat(Said.of(h100(events), "below_roofline"))
                .singleElement()
                .asString()
                .contains("Largest: aten::mm [[4096, 4096], [4096, 4096]] (600 µs at 69 %), aten::mm [[4100, ");
    }

    @Test
    void lessThanATenthOfTheDeviceTimeIsNoNews() {
        EventText events =
                new EventText().op("aten::mm", 0, 10_000, product(4096)).launch("gemm", 1_000, 100_000, 150_000, 1, 7);
        assertThat(Said.of(h100(events), "below_roofline"))
                .containsExactly("INFO below_roofline: Modelled operators reach 93 % of the H100 roofline. Reaching it "
                        + "would save up to 11.1 µs of 150 µs. Largest: aten::mm [[4096, 4096], [4096, 4096]] (150 "
                        + "µs at 93 %).");
    }

    @Test
    void whatIsFasterThanTheRoofIsCountedApartAndTakesNothingFromWhatIsLost() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10_000, product(4096))
                .launch("gemm", 1_000, 100_000, 100_000, 1, 7)
                .op("aten::mm", 20_000, 10_000, product(8192))
                .launch("gemm", 21_000, 200_000, 400_000, 2, 7);
        assertThat(Said.of(h100(events), "above_roofline"))
                .containsExactly("INFO above_roofline: 1 row is faster than the H100 roofline. Caches serve counted "
                        + "bytes, the device is another, or the model counts too much.");
        assertThat(Said.of(h100(events), "below_roofline").getFirst())
                .contains("reach 76 % of the H100 roofline. Reaching it would save up to 122 µs of 500 µs.");
    }

    @Test
    void whatModelsLackIsSaidAndIsNoMissingModel() {
        String old = "\"Input Dims\": [[], []], \"Input type\": [\"TensorList\", \"Scalar\"]";
        EventText events = new EventText()
                .op("aten::cat", 0, 10_000, old)
                .launch("concatenates", 1_000, 100_000, 250_000, 1, 7)
                .op("aten::mm", 20_000, 10_000, "\"Input Dims\": [[2, 3], [3, 4]]")
                .launch("gemm", 21_000, 400_000, 500_000, 2, 7)
                .op("triton_poi_fused_add_0", 40_000, 10_000)
                .launch("triton_poi_fused_add_0", 41_000, 1_000_000, 250_000, 3, 7);
        assertThat(Said.of(h100(events), "work_coverage"))
                .containsExactly(
                        "INFO work_coverage: FLOPs and bytes are known for none of the device time. 100 % lacks "
                                + "a part that models need. 50 % is aten::mm: no types of arguments were recorded. 25 % is "
                                + "aten::cat: the shapes of a list were not recorded. 25 % is triton_poi_fused_add_0: no number "
                                + "of values was recorded.");
    }

    @Test
    void theLargestWithoutAModelAreNamed() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10_000, product(4096))
                .launch("gemm", 1_000, 100_000, 250_000, 1, 7)
                .op("my::first", 20_000, 10_000, SHAPES)
                .launch("first", 21_000, 400_000, 500_000, 2, 7)
                .op("my::second", 40_000, 10_000, SHAPES)
                .launch("second", 41_000, 1_000_000, 250_000, 3, 7);
        assertThat(Said.of(h100(events), "work_coverage"))
                .containsExactly(
                        "INFO work_coverage: FLOPs and bytes are known for 25 % of the device time (GEMM 25 %). "
                                + "The largest without a model: my::first 50 %, my::second 25 %.");
    }

    @Test
    void whatWasNotRecordedIsNoLackOfModels() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10_000)
                .launch("gemm", 1_000, 100_000, 250_000, 1, 7)
                .launch("alone", 21_000, 400_000, 750_000, 2, 7);
        assertThat(Said.of(h100(events), "work_coverage"))
                .containsExactly(
                        "INFO work_coverage: FLOPs and bytes are known for none of the device time. 25 % lacks "
                                + "operator shapes: record with record_shapes=True. 75 % was launched outside of operators "
                                + "(cudaLaunchKernel 75 %).");
    }

    @Test
    void noneAndNoDeviceAreSaidPlainly() {
        EventText events =
                new EventText().op("my::first", 20_000, 10_000, SHAPES).launch("first", 21_000, 400_000, 500_000, 2, 7);
        assertThat(Said.of(TestTraces.of(events), "work_coverage"))
                .containsExactly(
                        "INFO work_coverage: FLOPs and bytes are known for none of the device time. The largest "
                                + "without a model: my::first 100 %.");
        assertThat(Said.of(h100(events), "below_roofline")).isEmpty();
        EventText product =
                new EventText().op("aten::mm", 0, 10_000, product(4096)).launch("gemm", 1_000, 100_000, 150_000, 1, 7);
        assertThat(Said.of(TestTraces.of(product), "below_roofline")).isEmpty();
    }
}
