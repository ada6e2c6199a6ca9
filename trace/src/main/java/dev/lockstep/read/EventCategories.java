// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.SliceKind;
import java.util.Map;

/** What the categories of events mean: those of PyTorch's profiler in all its versions and backends, of rocprofv3, and of FLEX. */
public final class EventCategories {
    private static final Map<String, SliceKind> KINDS = Map.ofEntries(
            Map.entry("cpu_op", SliceKind.CPU_OP),
            Map.entry("Operator", SliceKind.CPU_OP),
            Map.entry("operator", SliceKind.CPU_OP),
            Map.entry("cuda_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("hip_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("Runtime", SliceKind.RUNTIME_CALL),
            Map.entry("runtime", SliceKind.RUNTIME_CALL),
            Map.entry("mtia_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("xpu_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("glow_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("privateuse1_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("cuda_driver", SliceKind.DRIVER_CALL),
            Map.entry("hip_driver", SliceKind.DRIVER_CALL),
            Map.entry("xpu_driver", SliceKind.DRIVER_CALL),
            Map.entry("privateuse1_driver", SliceKind.DRIVER_CALL),
            Map.entry("CUDA_Runtime", SliceKind.RUNTIME_CALL),
            Map.entry("CUDA_Driver", SliceKind.DRIVER_CALL),
            Map.entry("GPU_Kernel", SliceKind.KERNEL),
            Map.entry("MemCopy", SliceKind.MEMCPY),
            Map.entry("MemSet", SliceKind.MEMSET),
            Map.entry("Overhead", SliceKind.OVERHEAD),
            Map.entry("python_function", SliceKind.PYTHON),
            Map.entry("user_annotation", SliceKind.ANNOTATION),
            Map.entry("gpu_user_annotation", SliceKind.DEVICE_ANNOTATION),
            Map.entry("kernel", SliceKind.KERNEL),
            Map.entry("Kernel", SliceKind.KERNEL),
            Map.entry("mtia_ccp_events", SliceKind.KERNEL),
            Map.entry("gpu_memcpy", SliceKind.MEMCPY),
            Map.entry("Memcpy", SliceKind.MEMCPY),
            Map.entry("gpu_memset", SliceKind.MEMSET),
            Map.entry("Memset", SliceKind.MEMSET),
            Map.entry("cuda_sync", SliceKind.DEVICE_SYNC),
            Map.entry("graph_event_node", SliceKind.DEVICE_SYNC),
            Map.entry("graph_host_node", SliceKind.DEVICE_SYNC),
            Map.entry("overhead", SliceKind.OVERHEAD),
            Map.entry("Trace", SliceKind.PROFILER_SPAN),
            Map.entry("aiu_compute", SliceKind.KERNEL),
            Map.entry("aiu_rdma", SliceKind.KERNEL),
            Map.entry("aiu_job", SliceKind.KERNEL),
            Map.entry("aiu_dma", SliceKind.MEMCPY),
            Map.entry("aiu_prep", SliceKind.DEVICE_SYNC),
            Map.entry("aiu_collective", SliceKind.DEVICE_ANNOTATION),
            Map.entry("aiu_runtime", SliceKind.RUNTIME_CALL),
            Map.entry("aiu_node", SliceKind.CPU_OP),
            Map.entry("aiu_host", SliceKind.HOST_OTHER),
            Map.entry("hip_api", SliceKind.RUNTIME_CALL),
            Map.entry("hip_runtime_api", SliceKind.RUNTIME_CALL),
            Map.entry("hsa_api", SliceKind.DRIVER_CALL),
            Map.entry("marker_api", SliceKind.ANNOTATION),
            Map.entry("kernel_dispatch", SliceKind.KERNEL),
            Map.entry("memory_copy", SliceKind.MEMCPY));

    private static final String SILENT_PHASES = "RbneSTFpPNODMVvc()";

    private EventCategories() {}

    /** Whether events of a phase say nothing about time spent and are passed over. Phases that are no letters of the format are none of these. */
    public static boolean isSilentPhase(int phase) {
        return SILENT_PHASES.indexOf(phase) >= 0;
    }

    /** The kind of slices of a category; other work of the host where the category is unknown. */
    public static SliceKind kindOf(String category) {
        return KINDS.getOrDefault(category, SliceKind.HOST_OTHER);
    }
}
