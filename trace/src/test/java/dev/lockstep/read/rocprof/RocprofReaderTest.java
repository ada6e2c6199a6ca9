// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.ShortNames;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceDump;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

public class RocprofReaderTest extends TraceReaderContract {
    private static final String HEAD = """
            {"rocprofiler-sdk-tool": [{
              "metadata": {"node": {"id": 0, "hostname": "h"}, "pid": 908, "init_time": 1000, "fini_time": 101000, "command": ["a"]},
              "agents": [
                {"size": 312, "id": {"handle": 11}, "type": 1, "logical_node_type_id": 0, "product_name": "EPYC"},
                {"size": 312, "id": {"handle": 12}, "type": 2, "logical_node_type_id": 3, "product_name": "MI350X"}],
              "counters": [],
              "strings": {"callback_records": [{"kind": "NONE", "operations": []}],
                "buffer_records": [{"kind": "NONE", "operations": []}, {"kind": "KERNEL_DISPATCH", "operations": ["N", "E", "C"]},
                  {"kind": "MEMORY_COPY", "operations": ["NONE", "MEMORY_COPY_HOST_TO_DEVICE"]},
                  {"kind": "HIP_RUNTIME_API", "operations": ["hipLaunchKernel", "hipMemcpy"]},
                  {"kind": "MARKER_CORE_API", "operations": ["roctxMarkA", "roctxRangePushA"]}],
                "marker_api": [{"key": 9, "value": "step \\"one\\""}]},
              "kernel_symbols": [
                {"size": 88, "kernel_id": 5, "kernel_name": "_Zgemm.kd", "formatted_kernel_name": "void gemm<float>(int)", "truncated_kernel_name": "gemm"},
                {"size": 88, "kernel_id": 6, "kernel_name": "ncclDevKernel_Generic_1", "formatted_kernel_name": "ncclDevKernel_Generic_1(x)", "truncated_kernel_name": "ncclDevKernel_Generic_1"}],
              "callback_records": {"counter_collection": []},
              "buffer_records": {"kernel_dispatch": [
            """;
    private static final List<String> KERNELS =
            List.of(kernel(5, 2000, 5000, 7, 21), kernel(5, 8000, 9000, 7, 22), kernel(6, 8500, 12500, 8, 23));
    private static final String CALLS = """
            ], "hip_api": [
              {"size": 64, "kind": 3, "operation": 0, "thread_id": 908, "correlation_id": {"internal": 21, "external": 0}, "start_timestamp": 1500, "end_timestamp": 1900}
            """;
    private static final String TAIL = """
            ], "marker_api": [{"size": 64, "kind": 4, "operation": 1, "thread_id": 908, "correlation_id": {"internal": 9, "external": 0},
                "start_timestamp": 1400, "end_timestamp": 10000}],
              "memory_copy": [{"size": 64, "kind": 2, "operation": 1, "thread_id": 908, "correlation_id": {"internal": 24, "external": 0},
                "start_timestamp": 20000, "end_timestamp": 21000, "dst_agent_id": {"handle": 12}, "src_agent_id": {"handle": 11}, "bytes": 4096}],
              "hsa_api": []}}]}
            """;

    private static String kernel(int id, long start, long end, int stream, int correlation) {
        return "{\"size\": 184, \"kind\": 1, \"operation\": 2, \"thread_id\": 908, \"correlation_id\": {\"internal\": "
                + correlation + ", \"external\": 0}, \"start_timestamp\": " + start + ", \"end_timestamp\": " + end
                + ", \"dispatch_info\": {\"size\": 72, \"agent_id\": {\"handle\": 12}, \"queue_id\": {\"handle\": 1},"
                + " \"kernel_id\": " + id + ", \"dispatch_id\": 1, \"workgroup_size\": {\"x\": 64, \"y\": 1, \"z\": 1},"
                + " \"grid_size\": {\"x\": 512, \"y\": 2, \"z\": 1}}, \"stream_id\": {\"handle\": " + stream + "}}";
    }

    @Override
    protected TraceReader reader() {
        return new RocprofReader();
    }

    @Override
    protected List<Sample> samples() {
        return List.of(sample("indented", HEAD, ",\n"), sample("compact", HEAD.replaceAll("\\n *", ""), ","));
    }

    private static Sample sample(String name, String head, String between) {
        StringBuilder text = new StringBuilder(head);
        List<Integer> ends = new ArrayList<>();
        for (String kernel : KERNELS) {
            text.append(ends.isEmpty() ? "" : between).append(kernel);
            ends.add(text.length());
        }
        text.append(CALLS.strip());
        ends.add(text.length());
        String tail = TAIL.strip();
        for (String end : List.of("10000}", "4096}")) {
            ends.add(text.length() + tail.indexOf(end) + end.length());
        }
        text.append(tail);
        return new Sample(
                name,
                text.toString().getBytes(UTF_8),
                ends.stream().mapToInt(i -> i).toArray());
    }

    @Override
    protected List<byte[]> strangers() {
        List<byte[]> all = new ArrayList<>(super.strangers());
        all.add("{\"traceEvents\": [], \"rocprofiler-sdk-tool\": 1}".getBytes(UTF_8));
        return all;
    }

    Trace whole() throws IOException {
        return read(samples().getFirst().content(), 1).getFirst();
    }

    @Test
    void kernelsKnowTheirNamesPlaceAndShape() throws IOException {
        Trace trace = whole();
        int kernel = TestTraces.slice(trace, "ncclDevKernel_Generic_1(x)");
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        int row = details.of(kernel);

        assertThat(trace.slices().kind(kernel)).isEqualTo(SliceKind.KERNEL);
        assertThat(trace.slices().ts(kernel)).isEqualTo(8500);
        assertThat(trace.slices().dur(kernel)).isEqualTo(4000);
        assertThat(trace.slices().correlation(kernel)).isEqualTo(23);
        assertThat(details.device(row)).isEqualTo(3);
        assertThat(details.stream(row)).isEqualTo(8);
        assertThat(trace.strings().get(details.grid(row))).isEqualTo("[512, 2, 1]");
        ShortNames names = Objects.requireNonNull(trace.view(ShortNames.KEY));
        assertThat(trace.strings().get(names.of(kernel))).isEqualTo("ncclDevKernel_Generic_1");
    }

    @Test
    void callsRangesAndCopiesAreThere() throws IOException {
        Trace trace = whole();

        assertThat(trace.slices().kind(TestTraces.slice(trace, "hipLaunchKernel")))
                .isEqualTo(SliceKind.RUNTIME_CALL);
        assertThat(trace.slices().kind(TestTraces.slice(trace, "step \"one\""))).isEqualTo(SliceKind.ANNOTATION);
        int copy = TestTraces.slice(trace, "MEMORY_COPY_HOST_TO_DEVICE");
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        assertThat(details.device(details.of(copy))).isEqualTo(3);
        assertThat(details.bytes(details.of(copy))).isEqualTo(4096);
    }

    @Test
    void namesMayComeBehindTheRecords() throws IOException {
        String text = new String(samples().getFirst().content(), UTF_8);
        int from = text.indexOf("\"kernel_symbols\"");
        int to = text.indexOf("\"callback_records\": {\"counter");
        String symbols = text.substring(from, text.lastIndexOf(',', to));
        String moved = text.substring(0, from) + text.substring(to, text.length() - 3) + ", " + symbols + "}]}";

        Trace late = read(moved.getBytes(UTF_8), 1).getFirst();

        assertThat(late.diagnostics().problems()).isEmpty();
        assertThat(TestTraces.slice(late, "ncclDevKernel_Generic_1(x)")).isNotNegative();
        assertThat(late.slices().size()).isEqualTo(whole().slices().size());
    }

    @Test
    void theOrderOfMembersDoesNotMatter() throws IOException {
        String text = new String(samples().getFirst().content(), UTF_8);
        int process = text.indexOf("\"metadata\"");
        int records = text.indexOf("\"buffer_records\": {\"kernel_dispatch\"");
        String names = text.substring(process, text.lastIndexOf(',', records));
        String moved = text.substring(0, process) + text.substring(records, text.length() - 3) + ", " + names + "}]}";

        Trace late = read(moved.getBytes(UTF_8), 1).getFirst();

        assertThat(late.diagnostics().problems()).isEmpty();
        assertThat(TraceDump.slices(late)).isEqualTo(TraceDump.slices(whole()));
        assertThat(late.counts().device()).isEqualTo(4);
    }

    @Test
    void aRankInThePathIsNotThatOfSeveralProcesses() throws IOException {
        String text = new String(samples().getFirst().content(), UTF_8);
        String process = text.substring(text.indexOf('[') + 1, text.length() - 2);
        assertThat(ranks("rank1_results.json", "{\"rocprofiler-sdk-tool\": [" + process + "]}"))
                .containsExactly("1 PATH");
        assertThat(ranks("rank1_results.json", "{\"rocprofiler-sdk-tool\": [" + process + ", " + process + "]}"))
                .containsExactly(
                        "0 ORDER the path states rank 1, but the file holds several processes; 0 is assumed",
                        "1 ORDER the path states rank 1, but the file holds several processes; 1 is assumed");
    }

    private static List<String> ranks(String name, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        List<String> ranks = new ArrayList<>();
        try (PrefixedSource source =
                new PrefixedSource(bytes, new StreamSource(new ByteArrayInputStream(new byte[0])))) {
            TraceInput input = TraceInput.of(Path.of(name));
            for (Trace trace : new RocprofReader().read(input, source, new Diagnostics(), ReadOptions.sequential())) {
                StringBuilder rank = new StringBuilder(
                        trace.info().rank().index() + " " + trace.info().rank().origin());
                trace.diagnostics().observations().stream()
                        .filter(e -> e.code().equals("no_rank"))
                        .forEach(e -> rank.append(' ').append(e.message()));
                ranks.add(rank.toString());
            }
        }
        return ranks;
    }

    @Test
    void everyProcessIsATrace() throws IOException {
        String text = new String(samples().getFirst().content(), UTF_8);
        String process = text.substring(text.indexOf('[') + 1, text.length() - 2);

        List<Trace> traces =
                read(("{\"rocprofiler-sdk-tool\": [" + process + ", " + process + "]}").getBytes(UTF_8), 1);

        assertThat(traces).hasSize(2);
        assertThat(traces.get(1).info().rank().index()).isEqualTo(1);
        assertThat(traces.get(1).counts().events()).isEqualTo(6);
    }

    @Test
    void aCopyBetweenProcessorsIsOnNoDevice() throws IOException {
        String host = new String(samples().getFirst().content(), UTF_8)
                .replace("\"dst_agent_id\": {\"handle\": 12}", "\"dst_agent_id\": {\"handle\": 11}");
        Trace trace = read(host.getBytes(UTF_8), 1).getFirst();
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        int copy = TestTraces.slice(trace, "MEMORY_COPY_HOST_TO_DEVICE");
        assertThat(details.device(details.of(copy))).isEqualTo(-1);
    }

    @Test
    void aShapeOfWhichOneSizeIsNoneIsUnknown() throws IOException {
        String odd = new String(samples().getFirst().content(), UTF_8).replace("\"y\": 2", "\"y\": \"two\"");
        Trace trace = read(odd.getBytes(UTF_8), 1).getFirst();
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        int row = details.of(TestTraces.slice(trace, "ncclDevKernel_Generic_1(x)"));
        assertThat(details.grid(row)).isEqualTo(-1);
        assertThat(trace.strings().get(details.block(row))).isEqualTo("[64, 1, 1]");
    }

    @Test
    void timesBeyondSixtyTwoBitsAreNone() throws IOException {
        String late = new String(samples().getFirst().content(), UTF_8)
                .replace("_timestamp\": 8500", "_timestamp\": 9223372036854784308")
                .replace("_timestamp\": 12500", "_timestamp\": 9223372036854788308");
        Trace trace = read(late.getBytes(UTF_8), 1).getFirst();
        assertThat(trace.counts().device()).isEqualTo(3);
        assertThat(trace.diagnostics().problems()).extracting(e -> e.code()).containsExactly("ts_invalid");
    }

    @Test
    void oddValuesCostTheirRecord() throws IOException {
        String odd = new String(samples().getFirst().content(), UTF_8)
                .replace("\"end_timestamp\": 5000", "\"end_timestamp\": 1")
                .replace("\"start_timestamp\": 8000, ", "")
                .replace("\"start_timestamp\": 8500", "\"start_timestamp\": [1]");

        Trace trace = read(odd.getBytes(UTF_8), 1).getFirst();

        assertThat(trace.counts().events()).isEqualTo(6);
        assertThat(trace.counts().device()).isEqualTo(1);
        assertThat(trace.diagnostics().problems())
                .extracting(e -> e.code())
                .containsExactly("negative_duration", "ts_invalid", "ts_missing");
        assertThat(trace.diagnostics().hasLoss()).isFalse();
    }

    @Test
    void damagedRecordCostsItself() throws IOException {
        String text = new String(samples().getFirst().content(), UTF_8)
                .replace("\"start_timestamp\": 8000,", "\"start_timestamp\" 8000,");

        Trace trace = read(text.getBytes(UTF_8), 1).getFirst();

        assertThat(trace.counts().device()).isEqualTo(3);
        assertThat(trace.diagnostics().problems()).anyMatch(e -> e.code().equals("syntax"));
    }

    @Test
    void recordingWithoutRecordsIsSound() throws IOException {
        Trace trace = read("{\"rocprofiler-sdk-tool\": [{\"buffer_records\": {}}]}".getBytes(UTF_8), 1)
                .getFirst();

        assertThat(trace.counts().events()).isZero();
        assertThat(trace.diagnostics().problems()).isEmpty();
    }

    @Test
    void cutBeforeAnyRecordIsRefused() {
        assertThatThrownBy(() -> read(HEAD.getBytes(UTF_8), 1))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("the file.json");
    }
}
