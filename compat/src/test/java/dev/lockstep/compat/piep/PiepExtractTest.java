// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.kernels.KernelDialect.Choice;
import dev.lockstep.kernels.KernelDialect.Found;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiepExtractTest {
    @TempDir
    Path folder;

    private static Trace trace() throws IOException {
        EventText events = new EventText()
                .call("cudaLaunchKernel", 10, 2, 1)
                .device(
                        "kernel",
                        "k<a, \"b\">",
                        20,
                        5,
                        1,
                        7,
                        "\"grid\": [1, 2, 3], \"block\": [4, 1, 1], \"warps per SM\": 0.50")
                .device(
                        "kernel",
                        "k<a, \"b\">",
                        30,
                        5,
                        2,
                        7,
                        "\"grid\": [1, 2, 3], \"block\": [4, 1, 1], \"warps per SM\": 0.50")
                .device("gpu_memcpy", "Memcpy HtoD", 40, 5, 3, 7, "\"bytes\": 8")
                .device("kernel", "ncclKernel", 50, 100, 4, 9, "");
        return TestTraces.read(
                TestTraces.document(events.toString()).getBytes(StandardCharsets.UTF_8),
                1,
                ReadOptions.Keep.EVERYTHING);
    }

    @Test
    void aListThatIsNoJsonIsNamedWithItsLine() throws IOException {
        Path list = Files.writeString(folder.resolve("list.csv"), "{\"name\":\"k\"}\nname,count\n");

        assertThatThrownBy(() -> PiepSignatures.write(list, null, folder.resolve("signatures.json")))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("list.csv: line 2: Unrecognized token 'name'");
    }

    @Test
    void hostCallsCountAsKernelsOfNoDevice() throws IOException {
        Found result =
                PiepExtract.of(new Choice(null, null, null, "bloom_"), false).write(trace(), "trace.json", folder);

        assertThat(result).isEqualTo(new Found(2, 3));
        assertThat(Files.readString(folder.resolve("bloom_kernel_counts.csv"))).isEqualTo("""
                device,category,kernel_name,count\r
                unknown,unknown,cudaLaunchKernel,1\r
                0,compute,"k<a, ""b"">",2\r
                0,compute,Memcpy HtoD,1\r
                0,communication,ncclKernel,1\r
                """);
        assertThat(Files.readAllLines(folder.resolve("bloom_unique_kernels_compute.csv")))
                .containsExactly(
                        "name,device,count,signature_json",
                        "\"k<a, \\\"b\\\">\",0,2,\"{\\\"block\\\":[4,1,1],\\\"device\\\":0,\\\"grid\\\":[1,2,3],\\\"name\\\":\\\"k<a, \\\\\\\"b\\\\\\\">\\\",\\\"stream\\\":7}\"",
                        "\"Memcpy HtoD\",0,1,\"{\\\"bytes\\\":8,\\\"device\\\":0,\\\"stream\\\":7}\"");
        assertThat(Files.readString(folder.resolve("bloom_unique_kernels_compute_summary.json")))
                .contains("\"device_filtered\": 1,\n    \"excluded\": 1,\n    \"kept\": 3,\n    \"seen\": 5")
                .endsWith("\"trace\": \"trace.json\",\n  \"unique_count\": 2\n}");
    }

    @Test
    void argumentsMayBeOfAnySize() throws IOException {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String key = "k".repeat(60_000);
        String digits = "9".repeat(1_500);
        String arguments = "\"the stream\": " + digits + ", \"grid\": " + deep + ", \"" + key + "\": -0";
        String events =
                new EventText().device("kernel", "k", 20, 5, 1, 7, arguments).toString();
        Trace trace = TestTraces.read(
                TestTraces.document(events).getBytes(StandardCharsets.UTF_8), 1, ReadOptions.Keep.EVERYTHING);

        PiepExtract.of(new Choice(null, null, null, ""), false).write(trace, "trace.json", folder);

        Path params = folder.resolve("kernel_launch_params_gpu0.jsonl");
        assertThat(Files.readString(params)).contains(digits, deep, "\"" + key + "\": 0");
        Path again = Files.createDirectory(folder.resolve("again"));
        PiepExtract.of(new Choice(null, null, null, ""), false)
                .write(List.of(params), List.of(folder.resolve("kernel_counts.csv")), again);
        assertThat(Files.readString(again.resolve("unique_kernels_compute.jsonl")))
                .contains(deep);
    }

    @Test
    void launchParametersGiveTheSameKernelsAgain() throws IOException {
        PiepExtract.of(new Choice(null, null, null, ""), false).write(trace(), "trace.json", folder);
        Path params = folder.resolve("kernel_launch_params_gpu0.jsonl");
        Path counts = folder.resolve("kernel_counts.csv");
        Path again = Files.createDirectory(folder.resolve("again"));
        PiepExtract.of(new Choice(List.of("0"), null, null, ""), true).write(List.of(params), List.of(counts), again);
        String name = "unique_kernels_compute.jsonl";
        assertThat(Files.readString(again.resolve(name))).isEqualTo(Files.readString(folder.resolve(name)));
        assertThat(Files.readAllLines(params).get(1))
                .contains("\"warps per SM\": 0.5}")
                .contains("\"ts\": 0.02");
    }

    @Test
    void eachDeviceHasFilesOfItsOwnWhateverItsName() throws IOException {
        StringBuilder events = new StringBuilder();
        for (String device : List.of("a_b", "a/b", "../../x", "d".repeat(300))) {
            events.append(
                    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":2,\"args\":"
                            + "{\"device\":\"" + device + "\",\"stream\":7}},\n");
        }
        Trace odd = TestTraces.read(
                TestTraces.document(events.toString()).getBytes(StandardCharsets.UTF_8),
                1,
                ReadOptions.Keep.EVERYTHING);

        assertThat(new PiepGantt(0, 0.5).write(odd, 0, folder))
                .extracting(PiepGantt.Device::name)
                .contains("_gpu.._.._x", "_gpua_b", "_gpua_b_2");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(4 * 3 + 1);
        }
    }
}
