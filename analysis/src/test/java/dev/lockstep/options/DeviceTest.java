// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.perfmodel.Roofline;
import dev.lockstep.perfmodel.Roofline.Bound;
import dev.lockstep.perfmodel.Work;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DeviceTest {
    static List<String> names() {
        return Device.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachDeviceSaysWhereItsFiguresComeFrom(String name) {
        Device device = Device.named(name);
        assertThat(device.name()).isEqualTo(name);
        assertThat(device.source()).isNotEmpty();
        assertThat(device.bytesPerSecond()).isBetween(1e12, 1e13);
        assertThat(device.memoryBytes()).isBetween(4e10, 5e11);
        assertThat(device.flopsPerSecond("matrix_bf16")).isGreaterThan(device.flopsPerSecond("matrix_fp32"));
        assertThat(device.flopsPerSecond("vector_fp32")).isPositive();
    }

    @Test
    void anUnknownNameGetsTheNearest() {
        assertThat(Device.named("mi300x").flopsPerSecond("matrix_bf16")).isEqualTo(708e12);
        assertThatThrownBy(() -> Device.named("MI30OX"))
                .isInstanceOfSatisfying(
                        UserException.class,
                        e -> assertThat(e.hint()).startsWith("Did you mean MI300X? Known devices: MI300X, "));
    }

    @Test
    void aRooflineIsTheSlowerOfTwo() {
        Device device = Device.parse(
                "x.json",
                "{\"name\": \"X\", \"mem_bw_gbps\": 1000, \"freq_mhz\": 2100, "
                        + "\"max_achievable_tflops\": {\"matrix_bf16\": 2}}");
        // 4e9 operations at 2e12 each second: 2 ms; 1e9 bytes at 1e12: 1 ms
        Roofline compute = Objects.requireNonNull(Roofline.of(new Work(4e9, 1e9, "matrix_bf16", List.of()), device));
        assertThat(compute.timeNs()).isEqualTo(2e6);
        assertThat(compute.bound()).isEqualTo(Bound.COMPUTE_BOUND);
        assertThat(compute.percent(8e6)).isEqualTo(25);
        assertThat(compute.percent(0)).isNaN();
        Roofline memory = Objects.requireNonNull(Roofline.of(new Work(4e9, 3e9, "matrix_bf16", List.of()), device));
        assertThat(memory.bound()).isEqualTo(Bound.MEMORY_BOUND);
        assertThat(Roofline.of(new Work(4e9, 1e9, "vector_bf16", List.of()), device))
                .isNull();
        assertThat(Roofline.of(new Work(0, 1e9, "matrix_bf16", List.of()), device))
                .isNull();
        assertThat(Roofline.of(new Work(4e9, Double.NaN, "matrix_bf16", List.of()), device))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]                                                     | x.json:1:1: expected a JSON object",
                "{'name': 'X'}                                          | x.json: the device has neither max_achievable_tflops nor mem_bw_gbps",
                "{'mem_bw_gbps': 1}                                     | x.json: the device has no name",
                "{'name': 'X', 'mem_bw_gbps': 0}                        | x.json:1:30: expected a number above zero for mem_bw_gbps",
                "{'name': 'X', 'max_achievable_tflops': {'bf16': 1}}    | x.json:1:41: expected matrix_<precision> or vector_<precision>, such as matrix_bf16, not 'bf16'",
            })
    void mistakesAreShownWhereTheyAre(String json, String message) {
        assertThatThrownBy(() -> Device.parse("x.json", json.replace('\'', '"')))
                .isInstanceOf(UserException.class)
                .hasMessage(message);
    }

    @Test
    void brokenJsonIsShownToo() {
        assertThatThrownBy(() -> Device.parse("x.json", "{\"name\": "))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("x.json:1:");
    }
}
