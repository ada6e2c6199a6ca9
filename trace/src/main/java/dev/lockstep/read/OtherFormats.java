// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Files that people take for traces that are read here, and that are none: what they are, and what to do instead. */
public final class OtherFormats {
    /**
     * A format that nothing here reads.
     *
     * @param title what it is, with its article
     * @param hint what reads it, or how to get what is read here
     * @param isRecording whether it says what a rank of a run did, so that something of the run is missing where it is not read
     */
    public record Other(String title, String hint, boolean isRecording) {}

    private record Rule(Pattern begin, Other format) {}

    private static final int HEAD = 4096;

    private static final String RECORD = " Record the program with PyTorch's profiler or Nsight Systems.";
    private static final String OTHER_OUTPUT =
            "Record with --output-format json, pftrace or rocpd: these say when kernels ran.";

    private static final List<Rule> RULES = List.of(
            recording(
                    "^NVIDIA Tegra Profiler Report",
                    "a recording of Nsight Systems (.nsys-rep)",
                    "Export it first: nsys export --type=sqlite FILE.nsys-rep. Mind whom you give it: it holds the"
                            + " environment of the program."),
            rule(
                    "^NVR\\x00",
                    "a report of Nsight Compute (.ncu-rep)",
                    "It holds counters of kernels, not when they ran. Record the program with Nsight Systems or"
                            + " PyTorch's profiler."),
            rule(
                    "^\\s*\\[\\s*\\{\\s*\"id\"\\s*:\\s*\\d+\\s*,\\s*\"(timestamps|model_name|parent_id|activity)\"",
                    "a trace of requests of the Triton Inference Server",
                    "It says when requests were handled, not what ran on the device. Record the server with Nsight"
                            + " Systems, or its model with PyTorch's profiler."),
            rule(
                    "^\\s*\\[\\s*\\{\\s*\"(children|frame|metrics)\"\\s*:",
                    "a profile of Triton's Proton (.hatchet)",
                    "It sums times up by call, and says of no kernel when it ran." + RECORD),
            rule(
                    "^\\s*\\[\\s*\\{\\s*\"count\"\\s*:\\s*\\d+\\s*\\}",
                    "a profile of layers by TensorRT's trtexec (exportProfile)",
                    "It sums times up by layer. Record the engine: nsys profile trtexec, then nsys export."),
            rule(
                    "^\\s*\\[\\s*\\{\\s*\"(start|end)\\w*Ms\"\\s*:",
                    "a list of times of runs by TensorRT's trtexec (exportTimes)",
                    "It holds whole runs of an engine. Record the engine: nsys profile trtexec, then nsys export."),
            rule(
                    "^\\s*\\[\\s*\\{\\s*\"name\": \"[^\"]{1,200}\", \"cat\": \"(GROUP|COLL|P2P|PROXY|NET|GPU)(_API)?\", \"ph\": \"b\"",
                    "a list of events of NCCL's profiler plugin",
                    "It holds parts of collectives, without kernels." + RECORD),
            rule(
                    "^\\s*\\{\\s*\"version\"\\s*:\\s*\"[\\d.]{1,9}\"\\s*,(?s:.{0,3000})\"(pg_config|pg_status|entries)\"\\s*:",
                    "a dump of PyTorch's Flight Recorder as JSON",
                    "It holds the last collectives of a rank, not what ran when. 'lockstep hangs' reads it." + RECORD),
            rule(
                    "^\\x80[\\x02-\\x05](?s:.{0,64})version(?s:.{0,128})(nccl_version|pg_config|entries)",
                    "a dump of PyTorch's Flight Recorder",
                    "It holds the last collectives of a rank, not what ran when. 'lockstep hangs' reads it." + RECORD),
            rule(
                    "^\\s*\\{\\s*\"header\"\\s*:\\s*\\{\\s*\"id\"(?s:.{0,2000})\"(coll_perf|p2p_perf|inspector_output_format_version)\"",
                    "a log of NCCL Inspector",
                    "It holds times of collectives, not what ran when. 'lockstep links' reads it." + RECORD),
            rule(
                    "^[VIWE]\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+ .{0,300}\\] \\{|^\\{\"string_table\"\\s*:",
                    "a log of torch.compile (TORCH_TRACE)",
                    "'tlparse FILE' makes pages of it. Give the trace of the profiler."),
            recording(
                    "^version https://git-lfs\\.github\\.com/spec/",
                    "a pointer of Git LFS, which stands for a file that was not fetched",
                    "Fetch it: git lfs pull."),
            recording("^BZh[1-9]1AY&SY", "a file packed by bzip2", "Unpack it first: bunzip2 -k FILE."),
            recording("^\\xFD7zXZ\\x00", "a file packed by xz", "Unpack it first: xz -dk FILE."),
            recording("^\\x04\\x22\\x4D\\x18", "a file packed by LZ4", "Unpack it first: lz4 -d FILE."),
            recording("^7z\\xBC\\xAF\\x27\\x1C", "a 7z archive", "Unpack it first: 7z x FILE. Then give the folder."),
            recording(
                    "^(?s:.{257})ustar",
                    "a tar archive",
                    "Unpack it first: tar -xf FILE. Then give the folder, of which each file may be a rank."),
            rule(
                    "^(?s:.{8,32})\\x1A\\x0Dbrain\\.Event:",
                    "a log of TensorBoard (events.out.tfevents)",
                    "It holds scalars. Profiles lie beside it: plugins/profile/RUN/HOST.xplane.pb."),
            rule(
                    "^PAR1",
                    "a Parquet file",
                    "Give the trace itself; of a recording of Nsight Systems, nsys export --type=sqlite"
                            + " FILE.nsys-rep."),
            rule(
                    "^ARROW1",
                    "an Arrow file",
                    "Give the trace itself; of a recording of Nsight Systems, nsys export --type=sqlite"
                            + " FILE.nsys-rep."),
            rule("^PERFILE2", "a recording of Linux perf", "It holds samples of processors." + RECORD),
            rule("^(tlZ\\x04|tr\\xFDP|tZst)", "a recording of Tracy", "Nothing here reads it." + RECORD),
            rule(
                    "^\\s*\\{(?s:.{0,500})\"https://www\\.speedscope\\.app/file-format-schema",
                    "a profile for speedscope",
                    "It holds samples of stacks of the host." + RECORD),
            rule(
                    "^\\s*\\{\\s*\"nodes\"\\s*:\\s*\\[\\s*\\{\\s*\"id\"\\s*:\\s*\\d+\\s*,\\s*\"callFrame\"",
                    "a profile of V8 (.cpuprofile)",
                    "It holds samples of JavaScript." + RECORD),
            rule(
                    "^\\s*\\{\\s*\"(resourceSpans|resourceMetrics|resourceLogs)\"\\s*:",
                    "data of OpenTelemetry",
                    "It holds spans of services." + RECORD),
            rule(
                    "^\"?Time \\(%\\)\"?,\"?Total Time \\((ns|us|ms|s)\\)",
                    "a table of nsys stats",
                    "It sums times up by name. Give the recording: nsys export --type=sqlite FILE.nsys-rep."),
            rule(
                    "^(==PROF==(?s:.{0,3000}))?\"ID\",\"Process ID\",\"Process Name\"",
                    "a table of Nsight Compute (ncu)",
                    "It holds counters of kernels, not when they ran." + RECORD),
            rule("^\"(Kind|Domain)\",\"(Agent_Id|Function|Operation)\"", "a table of rocprofv3 (CSV)", OTHER_OUTPUT),
            rule(
                    "^(\"?Index\"?,\"?KernelName\"?,|\"?Name\"?,\"?Calls\"?,\"?TotalDurationNs\"?)",
                    "a table of rocprof (CSV)",
                    "Give the results.json or results.db that rocprof --hip-trace wrote beside it."),
            rule(
                    "^(Step Id,)?Device_id,(Model ID|Model Name|Task ID)",
                    "a table of Ascend's profiler (CSV)",
                    "Give the trace_view.json that lies beside it."),
            rule(
                    "^[\\w.-]{1,64}:\\d+:\\d+ \\[\\d+\\] NCCL (INFO|WARN|TRACE|VERSION)",
                    "a log of NCCL (NCCL_DEBUG)",
                    "It says how NCCL was set up, not what ran when." + RECORD),
            rule("^(?s:.{6})\\x00\\x00\\{\"", "a file of weights (safetensors)", "It is a model, not a trace."),
            rule("^GGUF", "a file of weights (GGUF)", "It is a model, not a trace."),
            rule("^\\x93NUMPY|^\\x89HDF\\r\\n", "a file of arrays", "It is data, not a trace."));

    /** Endings of recordings that are no names of traces, and of packings whose files may be. */
    private static final List<String> ENDINGS = List.of(".nsys-rep", ".qdrep", ".ncu-rep", ".hatchet", ".et");

    private static final Pattern PACKED = Pattern.compile("(?i)(\\.bz2|\\.xz|\\.lz4|\\.7z|\\.tar|\\.tar\\.gz|\\.tgz)$");

    private OtherFormats() {}

    private static Rule rule(String begin, String title, String hint) {
        return new Rule(Pattern.compile(begin), new Other(title, hint, false));
    }

    private static Rule recording(String begin, String title, String hint) {
        return new Rule(Pattern.compile(begin), new Other(title, hint, true));
    }

    /** All of them, in the order in which they are tried. */
    public static List<Other> all() {
        return RULES.stream().map(Rule::format).toList();
    }

    /** Whether a name is that of a recording which nothing here reads, so that a folder with it lacks something. */
    public static boolean isName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return ENDINGS.stream().anyMatch(lower::endsWith);
    }

    /** The name without the ending of a packing that nothing here unpacks; as it is where it has none. */
    public static String unpacked(String name) {
        return PACKED.matcher(name).replaceFirst("");
    }

    /**
     * The format of a file; empty for one that is not among these.
     *
     * @param head the first bytes of the unpacked content
     */
    public static Optional<Other> of(byte[] head) {
        int from = head.length >= 3 && (head[0] & 0xFF) == 0xEF && (head[1] & 0xFF) == 0xBB ? 3 : 0;
        String text = new String(head, from, Math.min(head.length - from, HEAD), StandardCharsets.ISO_8859_1);
        return RULES.stream()
                .filter(rule -> rule.begin.matcher(text).find())
                .map(Rule::format)
                .findFirst();
    }
}
