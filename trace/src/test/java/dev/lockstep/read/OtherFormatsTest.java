// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.testkit.TestTraces;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherFormatsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NVIDIA Tegra Profiler Report 1.~Local (CLI) | Nsight Systems | nsys export",
                "[{\"id\":1,\"timestamps\":[{\"name\":\"HTTP_RECV_START\",\"ns\":52}]}] | Triton | PyTorch's profiler",
                "[{\"id\": 7, \"model_name\": \"resnet50\"}] | Triton | PyTorch's profiler",
                "PAR1@@@@ | Parquet | nsys export",
            })
    void filesThatAreNoTracesAreNamed(String content, String title, String hint) {
        byte[] bytes = content.replace('~', '\n').replace('@', (char) 1).getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> TestTraces.read(bytes)).isInstanceOfSatisfying(TraceFormatException.class, e -> {
            assertThat(e.getMessage()).contains("this is").contains(title);
            assertThat(e.hint()).contains(hint);
        });
    }

    @Test
    void tracesAreTraces() {
        for (String text : List.of(
                "[{\"ph\": \"X\", \"id\": 1}]",
                "[{\"id\": 1, \"ph\": \"b\", \"timestamps\": 1}]",
                "{\"traceEvents\": [[1]]}",
                "[]",
                "")) {
            assertThat(OtherFormats.of(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
        }
    }
}
