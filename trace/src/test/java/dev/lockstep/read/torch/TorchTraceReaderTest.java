// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.TraceReaderContract;
import java.util.ArrayList;
import java.util.List;

public class TorchTraceReaderTest extends TraceReaderContract {
    private static final String HEAD = """
            {
              "schemaVersion": 1,
              "deviceProperties": [{"id": 0, "name": "NVIDIA H100", "numSms": 132}],
              "distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 4},
              "traceEvents": [
            """;
    private static final String TAIL = """
              ],
              "traceName": "trace.json",
              "displayTimeUnit": "ms",
              "baseTimeNanoseconds": 1767189312000000000
            }
            """;
    private static final List<String> EVENTS =
            List.of("""
            {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 10, "tid": 10, "ts": 100.000, "dur": 900.000}""", """
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 10, "tid": 10, "ts": 110.125, "dur": 50.5,
             "args": {"External id": 3, "Sequence number": 4, "Input Dims": [[2, 3], [3, 4], []],
             "Input type": ["float", "float", "Scalar"], "Input Strides": [[3, 1], [4, 1], []], "Concrete Inputs": ["", "", "1"]}}""", """
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 10, "ts": 120, "dur": 5,
             "args": {"External id": 3, "cbid": 211, "correlation": 77}}""", """
            {"ph": "s", "id": 77, "pid": 10, "tid": 10, "ts": 120, "cat": "ac2g", "name": "ac2g"}""", """
            {"ph": "X", "cat": "kernel", "name": "void gemm<float, \\"x\\">(int) \\u00e9 é {\\"ph\\": 1},", "pid": 0, "tid": 7, "ts": 130.001, "dur": 20.999,
             "args": {"External id": 3, "correlation": 77, "device": 0, "stream": 7, "grid": [1, 2, 3], "block": [32, 1, 1],
             "registers per thread": 64, "shared memory": 1024}}""", """
            {"ph": "f", "id": 77, "pid": 0, "tid": 7, "ts": 130.001, "cat": "ac2g", "name": "ac2g", "bp": "e"}""", """
            {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": 0, "tid": 20, "ts": 160, "dur": 40,
             "args": {"correlation": 78, "device": 0, "stream": 20, "Collective name": "allreduce", "In msg nelems": 64,
             "Out msg nelems": 64, "Group size": 4, "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3]", "Seq": 5}}""", """
            {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 220, "dur": 3,
             "args": {"correlation": 79, "device": 0, "stream": 7, "bytes": 4096}}""", """
            {"ph": "B", "cat": "cpu_op", "name": "pair", "pid": 10, "tid": 11, "ts": 300}""", """
            {"ph": "E", "cat": "cpu_op", "name": "pair", "pid": 10, "tid": 11, "ts": 310}""", """
            {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 10, "tid": 10, "ts": 400, "args": {"Total Allocated": 12}}""", """
            {"ph": "M", "name": "process_name", "pid": 10, "tid": 0, "ts": 100, "args": {"name": "python3"}}""", """
            {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "ts": 100, "args": {"labels": "GPU 0"}}""", """
            {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "ts": 100, "args": {"name": "stream 7"}}""");

    @Override
    protected TraceReader reader() {
        return new TorchTraceReader();
    }

    @Override
    protected List<String> formats() {
        return List.of(TraceFormat.KINETO.id(), TraceFormat.CHROME.id());
    }

    @Override
    protected List<Sample> samples() {
        return List.of(
                sample("object", HEAD, ",\n", TAIL),
                sample("compact", HEAD.replaceAll("\\s", ""), ",", TAIL.replaceAll("\\s", "")),
                sample("array", "[", " ,\r\n", "]"));
    }

    private static Sample sample(String name, String head, String between, String tail) {
        StringBuilder text = new StringBuilder(head);
        List<Integer> ends = new ArrayList<>();
        for (String event : EVENTS) {
            text.append(ends.isEmpty() ? "" : between).append(event);
            ends.add(text.toString().getBytes(UTF_8).length);
        }
        return new Sample(
                name,
                text.append(tail).toString().getBytes(UTF_8),
                ends.stream().mapToInt(i -> i).toArray());
    }

    /** An array of events may lack its end, and white space may follow a document. */
    @Override
    protected boolean sound(byte[] content, int cut) {
        String text = new String(content, 0, cut, UTF_8).strip();
        return content[0] == '{' && !text.endsWith("000000000\n}") && !text.endsWith("000000000}");
    }
}
