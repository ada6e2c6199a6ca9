// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.Track;
import dev.lockstep.model.XlaDetails;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What recorded a trace, and how to make it record more. Advice on recording comes from here alone, so that nobody is told options of a
 * profiler that did not write the trace. Each text is empty where nothing is known.
 */
public enum RecordingTool {
    /** PyTorch's profiler on CUDA, or with no device. */
    TORCH(
            " ProfilerActivity.CPU records it.",
            " profile(experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True)) records them."
                    + " PyTorch 2.11 with CUDA 13 was seen to leave out what is waited for.",
            "Call prof.step() to mark steps.",
            RecordingTool.TORCH_DEVICE,
            RecordingTool.FEWER_STEPS),
    /** PyTorch's profiler on a device that is not CUDA's. */
    TORCH_ELSEWHERE(
            " ProfilerActivity.CPU records it.",
            "",
            "Call prof.step() to mark steps.",
            RecordingTool.TORCH_DEVICE,
            RecordingTool.FEWER_STEPS),
    NSYS(
            " nsys profile --trace=cuda,nvtx,osrt records it.",
            " nsys profile --cuda-event-trace=true records them.",
            "Put NVTX ranges around steps, and give their pattern.",
            "Record the device, too: nsys profile --trace=cuda.",
            "Record a shorter time, and let no other profiler use the device."),
    ROCPROF(
            " rocprofv3 --sys-trace records it.",
            "",
            "Put ROCTx ranges around steps, record with rocprofv3 --marker-trace, and give their pattern.",
            "Record kernels and copies, too: rocprofv3 --kernel-trace --memory-copy-trace.",
            RecordingTool.SHORTER),
    /** The profiler of XLA, as JAX and TensorFlow start it. */
    XLA(
            " jax.profiler.ProfileOptions with host_tracer_level=2 records it.",
            "",
            "Put jax.profiler.StepTraceAnnotation around steps.",
            "Record the device, too: jax.profiler.trace in the process that uses it.",
            "Record fewer steps: the profiler of XLA keeps a limited number of events."),
    /** Anything else that writes a format which is read here. */
    OTHER("", "", "Put ranges around steps, and give their pattern.", "Record the device, too.", RecordingTool.SHORTER);

    private static final String TORCH_DEVICE =
            "Record the device, too: ProfilerActivity.CUDA or XPU among the activities.";
    private static final String FEWER_STEPS = "Record fewer steps, and let no other profiler use the device.";
    private static final String SHORTER = "Record a shorter time, so that the profiler's buffers do not overflow.";

    /** Derives the recorder of a trace. */
    public record Key() implements Derived<RecordingTool> {
        @Override
        public RecordingTool derive(Trace trace, DerivedCache cache) {
            return of(trace);
        }
    }

    private static final String NSYS_FORMAT = "nsys-sqlite";

    /** What PyTorch's profiler writes on Ascend, besides JSON. */
    private static final String ASCEND_FORMAT = "ascend-sqlite";

    /** What rocprofv3 writes, and what the first rocprof wrote, whose successor it is. */
    private static final Set<String> ROCPROF_FORMATS =
            Set.of(TraceFormat.ROCPROF.id(), "rocpd", TraceFormat.ROCPROF_V1.id(), "rocprof-sqlite");

    /** Keys beside the events that only PyTorch's profiler writes. */
    private static final Set<String> KEYS = Set.of("schemaVersion", "record_shapes", "with_stack", "profile_memory");

    /** Categories of events that only PyTorch's profiler writes. */
    private static final List<String> CATEGORIES = List.of(
            "cpu_op", "kernel", "cuda_runtime", "cuda_driver", "gpu_memcpy", "gpu_user_annotation", "python_function");

    /** Processes and devices of other makers than NVIDIA. */
    private static final List<String> ELSEWHERE =
            List.of("ascend", "npu", "amd", "instinct", "radeon", "gfx", "intel", "mtia");

    private static final Pattern XLA_PROCESS = Pattern.compile("(?:^| )/(?:host:CPU|device:[GT]PU:\\d{1,9})(?: |$)");

    private final String host;
    private final String waits;
    private final String steps;
    private final String devices;
    private final String lost;

    RecordingTool(String host, String waits, String steps, String devices, String lost) {
        this.host = host;
        this.waits = waits;
        this.steps = steps;
        this.devices = devices;
        this.lost = lost;
    }

    /** How to record the host, as a sentence with a blank before it; empty where that is not known. */
    public String host() {
        return host;
    }

    /** How to record which stream waits for which, as a sentence with a blank before it. */
    public String waits() {
        return waits;
    }

    /** How to mark steps, as a sentence. */
    public String steps() {
        return steps;
    }

    /** How to record what devices do, as a sentence. */
    public String devices() {
        return devices;
    }

    /** How to keep the profiler from dropping events, as a sentence. */
    public String lost() {
        return lost;
    }

    /** Whether this is PyTorch's profiler, whose arguments may be named. */
    public boolean isTorch() {
        return this == TORCH || this == TORCH_ELSEWHERE;
    }

    /** An argument of PyTorch's profiler, in brackets behind a blank; the empty text for other recorders. */
    public String torch(String argument) {
        return isTorch() ? " (" + argument + ")" : "";
    }

    /** What recorded a trace. */
    public static RecordingTool of(Trace trace) {
        if (isXla(trace)) {
            return XLA;
        }
        boolean torch = CATEGORIES.stream().anyMatch(category -> trace.strings().find(category) >= 0);
        RecordingTool recorder = of(trace.info(), torch);
        return recorder == TORCH && (isOfHip(trace) || isElsewhere(trace)) ? TORCH_ELSEWHERE : recorder;
    }

    /** What recorded the traces of a run, as far as it is known without their events; {@link #OTHER} for several. */
    public static RecordingTool of(List<TraceInfo> infos) {
        List<RecordingTool> all =
                infos.stream().map(info -> of(info, false)).distinct().toList();
        return all.size() == 1 ? all.getFirst() : OTHER;
    }

    private static RecordingTool of(TraceInfo info, boolean torch) {
        String format = info.format();
        if (format.equals(NSYS_FORMAT)) {
            return NSYS;
        }
        if (ROCPROF_FORMATS.contains(format)) {
            return ROCPROF;
        }
        if (format.equals(TraceFormat.XPLANE.id())) {
            return XLA;
        }
        if (format.equals(ASCEND_FORMAT)) {
            return TORCH_ELSEWHERE;
        }
        boolean known = torch || KEYS.stream().anyMatch(info.metadata()::containsKey);
        if (!TraceFormat.isEventList(format) || !known) {
            return OTHER;
        }
        boolean elsewhere =
                !info.devices().isEmpty() && info.devices().stream().allMatch(device -> isElsewhere(device.name()));
        return elsewhere ? TORCH_ELSEWHERE : TORCH;
    }

    private static boolean isElsewhere(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return ELSEWHERE.stream().anyMatch(lower::contains);
    }

    private static boolean isElsewhere(Trace trace) {
        return trace.tracks().stream()
                .anyMatch(track ->
                        track.processName() != null && track.processName().endsWith("Ascend Hardware"));
    }

    /** Processes of XLA have names of their own, in every format. */
    private static boolean isXla(Trace trace) {
        return trace.view(XlaDetails.KEY) != null
                || trace.tracks().stream()
                        .map(Track::processName)
                        .anyMatch(name ->
                                name != null && XLA_PROCESS.matcher(name).find());
    }

    private static boolean isOfHip(Trace trace) {
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall()) {
                return trace.name(i).startsWith("hip");
            }
        }
        return false;
    }

    /** Whether operators or frames of PyTorch ran in the program, whoever recorded it. */
    public static boolean isTorchProgram(Trace trace) {
        return of(trace).isTorch() || hasOperators(trace);
    }

    private static boolean hasOperators(Trace trace) {
        for (int id = 0; id < trace.strings().size(); id++) {
            if (trace.strings().get(id).startsWith("aten::")) {
                return true;
            }
        }
        return false;
    }
}
