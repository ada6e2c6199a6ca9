// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallKindTest {
    @ParameterizedTest
    @CsvSource({
        "cudaDeviceSynchronize, WAIT_FOR_ALL",
        "cuCtxSynchronize, WAIT_FOR_ALL",
        "cuCtxSynchronize_v2, WAIT_FOR_ALL",
        "cudaThreadSynchronize, WAIT_FOR_ALL",
        "hipDeviceSynchronize, WAIT_FOR_ALL",
        "musaDeviceSynchronize, WAIT_FOR_ALL",
        "AscendCL@aclrtSynchronizeDevice, WAIT_FOR_ALL",
        "aclrtSynchronizeDeviceWithTimeout, WAIT_FOR_ALL",
        "cnrtSyncDevice, WAIT_FOR_ALL",
        "synDeviceSynchronize, WAIT_FOR_ALL",
        "cudaDeviceReset, WAIT_FOR_ALL",
        "cudaStreamSynchronize, WAIT",
        "cudaStreamSynchronize_ptsz, WAIT",
        "cuStreamSynchronize, WAIT",
        "cudaEventSynchronize, WAIT",
        "hipEventSynchronize, WAIT",
        "AscendCL@aclrtSynchronizeStreamWithTimeout, WAIT",
        "AscendCL@aclrtSynchronizeStream, WAIT",
        "aclrtSynchronizeEvent, WAIT",
        "zeEventHostSynchronize, WAIT",
        "zeFenceHostSynchronize, WAIT",
        "zeCommandQueueSynchronize, WAIT",
        "zeCommandListHostSynchronize, WAIT",
        "urQueueFinish, WAIT",
        "urEventWait, WAIT",
        "piEventsWait, WAIT",
        "clFinish, WAIT",
        "clWaitForEvents, WAIT",
        "cnrtQueueSync, WAIT",
        "cnrtWaitNotifier, WAIT",
        "hsa_signal_wait_scacquire, WAIT",
        "synchronizeStream, WAIT",
        "cudaStreamWaitEvent, STREAM_WAIT",
        "cuStreamWaitEvent, STREAM_WAIT",
        "hipStreamWaitEvent, STREAM_WAIT",
        "cuStreamWaitValue32, STREAM_WAIT",
        "AscendCL@aclrtStreamWaitEvent, STREAM_WAIT",
        "urEnqueueEventsWait, STREAM_WAIT",
        "zeCommandListAppendWaitOnEvents, STREAM_WAIT",
        "enqueueCommand waitOnEvent, STREAM_WAIT",
        "cnrtQueueWaitNotifier, STREAM_WAIT",
        "cudaEventRecord, RECORD",
        "cudaEventRecordWithFlags, RECORD",
        "hipEventRecord, RECORD",
        "AscendCL@aclrtRecordEvent, RECORD",
        "cudaGraphLaunch, GRAPH_LAUNCH",
        "cuGraphLaunch, GRAPH_LAUNCH",
        "hipGraphLaunch, GRAPH_LAUNCH",
        "cudaFree, FREE",
        "hipFree, FREE",
        "cuMemFree_v2, FREE",
        "AscendCL@aclrtFree, FREE",
        "cudaFreeAsync, OTHER",
        "cudaFreeHost, OTHER",
        "cudaMalloc, OTHER",
        "cudaMallocHost, OTHER",
        "cudaEventDestroy, OTHER",
        "cudaEventQuery, OTHER",
        "AscendCL@aclrtQueryEventStatus, OTHER",
        "cudaLaunchKernel, OTHER",
        "Hccl@Notify_Wait, OTHER",
        "Node@launch, OTHER"
    })
    void namesOfAllVendorsSayWhatACallMeans(String name, CallKind kind) {
        assertThat(CallKind.of(name)).isEqualTo(kind);
        assertThat(CallKind.of(kind.code())).isEqualTo(kind);
    }
}
