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
                "ARROW1@@ | Arrow | nsys export",
                "[{\"children\": [], \"frame\": {\"name\": \"ROOT\"}}] | Proton | PyTorch's profiler",
                "[{\"count\": 100}, {\"name\": \"Conv_0\", \"timeMs\": 12.5}] | (exportProfile) | nsys profile trtexec",
                "[{ \"startInMs\" : 1.2, \"endInMs\" : 1.3 }] | (exportTimes) | nsys profile trtexec",
                "[~{\"name\": \"Group API\", \"cat\": \"GROUP_API\", \"ph\": \"b\", \"id\": 0}] | NCCL's profiler plugin | Nsight",
                "{\"version\": \"2.7\", \"nccl_version\": \"2.21.5\", \"pg_config\": {}} | Flight Recorder as JSON | Nsight",
                "\u0080\u0002}(X@versionX@2.7X@pg_config | Flight Recorder | Nsight",
                "{\"header\": {\"id\": \"0x1\", \"rank\": 0}, \"coll_perf\": {}} | NCCL Inspector | Nsight",
                "V0401 08:00:00.000000 140 torch/_logging/structured.py:22] {\"str\": [\"x\", 0]} | TORCH_TRACE | tlparse",
                "{\"string_table\": [\"a\"]} | TORCH_TRACE | tlparse",
                "version https://git-lfs.github.com/spec/v1~oid sha256:4d7a | Git LFS | git lfs pull",
                "BZh91AY&SY@ | packed by bzip2 | bunzip2",
                "\u00FD7zXZ\0@ | packed by xz | xz -dk FILE",
                "Time (%),Total Time (ns),Instances,Avg (ns),Name | nsys stats | nsys export",
                "==PROF== Connected~\"ID\",\"Process ID\",\"Process Name\" | (ncu) | Nsight Systems",
                "\"Kind\",\"Agent_Id\",\"Queue_Id\" | rocprofv3 | --output-format",
                "\"Name\",\"Calls\",\"TotalDurationNs\" | table of rocprof | results.json",
                "Step Id,Device_id,Model ID,Task ID | Ascend | trace_view.json",
                "node7:123:130 [0] NCCL INFO Bootstrap | log of NCCL | Nsight",
            })
    void filesThatAreNoTracesAreNamed(String content, String title, String hint) {
        byte[] bytes = content.replace('~', '\n').replace('@', (char) 1).getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> TestTraces.read(bytes)).isInstanceOfSatisfying(TraceFormatException.class, e -> {
            assertThat(e.getMessage()).contains("this is").contains(title);
            assertThat(e.hint()).contains(hint);
        });
    }

    @Test
    void filesThatBeginWithControlCharactersAreNamed() {
        assertThat(titled("\u0018\0\0\0\0\0\0\0\1\2\3\4\t\0\0\0\0\0\0\0\0\u001A\rbrain.Event:2"))
                .contains("TensorBoard");
        assertThat(titled("(\0\0\0\0\0\0\0{\"__metadata__\":{}}")).contains("safetensors");
        assertThat(titled("name" + "\0".repeat(253) + "ustar\u000000")).contains("tar archive");
    }

    private static String titled(String content) {
        return OtherFormats.of(content.getBytes(StandardCharsets.ISO_8859_1))
                .map(OtherFormats.Other::title)
                .orElse("none");
    }

    @Test
    void tracesAreTraces() {
        for (String text : List.of(
                "[{\"ph\": \"X\", \"id\": 1}]",
                "[{\"id\": 1, \"ph\": \"b\", \"timestamps\": 1}]",
                "{\"traceEvents\": [[1]]}",
                "{\"schemaVersion\": 1, \"distributedInfo\": {\"pg_config\": []}, \"traceEvents\": []}",
                "[{\"name\": \"a\", \"cat\": \"GPU\", \"ph\": \"X\"}]",
                "[]",
                "")) {
            assertThat(OtherFormats.of(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
        }
    }
}
