// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.testkit.EventText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A host thread and the streams of a device, simulated event by event: an independent answer to what a program would take with other
 * durations. Calls hand their launch over when they end. Streams start work in order; an activity may start when the one before has done
 * a part of its work. All times are ns.
 */
final class DeviceSimulation {
    /** Names of a vendor's calls. */
    enum Vendor {
        CUDA(
                "cuda_runtime",
                List.of("cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernelEx"),
                "cudaGraphLaunch",
                "cudaMemcpyAsync",
                List.of("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize"),
                "cudaFree"),
        HIP(
                "cuda_runtime",
                List.of("hipLaunchKernel", "hipModuleLaunchKernel", "hipExtModuleLaunchKernel"),
                "hipGraphLaunch",
                "hipMemcpyWithStream",
                List.of("hipStreamSynchronize", "hipDeviceSynchronize", "hipEventSynchronize"),
                "hipFree"),
        XPU(
                "xpu_runtime",
                List.of("urEnqueueKernelLaunch", "zeCommandListAppendLaunchKernel"),
                "urEnqueueGraphLaunch",
                "urEnqueueUSMMemcpy",
                List.of("zeEventHostSynchronize", "zeCommandQueueSynchronize", "urQueueFinish"),
                "zeMemFree"),
        ASCEND(
                "privateuse1_runtime",
                List.of("aclrtLaunchKernel", "aclopCompileAndExecute"),
                "aclrtGraphLaunch",
                "aclrtMemcpy",
                List.of("aclrtSynchronizeStreamWithTimeout", "aclrtSynchronizeDevice", "aclrtSynchronizeEvent"),
                "aclrtFree");

        final String category;
        final List<String> launches;
        final String graph;
        final String copy;
        final List<String> waits;
        final String free;

        Vendor(String category, List<String> launches, String graph, String copy, List<String> waits, String free) {
            this.category = category;
            this.launches = launches;
            this.graph = graph;
            this.copy = copy;
            this.waits = waits;
            this.free = free;
        }
    }

    /** What edits change. */
    record Scenario(double host, double device, Predicate<String> which) {
        static final Scenario RECORDED = new Scenario(1, 1, name -> false);

        private long host(long ns) {
            return Math.round(ns * host);
        }

        private long device(Work work) {
            return which.test(work.name) ? Math.round(work.length * device) : work.length;
        }
    }

    /**
     * An activity.
     *
     * @param category as the trace spells it
     * @param share of the activity before on the stream, the part during which this one runs already
     * @param late what it starts later than it could
     */
    record Work(String category, String name, int stream, long length, double share, long late) {}

    /**
     * A step of the host.
     *
     * @param call name of the call, null for work without one
     * @param length what it takes by itself, until it launches
     * @param launched what it launches
     * @param waits whether it returns only when all that was launched, or what it launched itself, is done
     * @param waitsFor the stream that it waits for, -1 for all
     */
    record Step(String call, long length, List<Work> launched, boolean waits, int waitsFor) {}

    private static final long LAUNCH = 1_200;
    private static final long FOLLOW = 900;
    private static final long RETURN = 2_100;

    private final String category;
    private final List<Step> steps;
    /** So many launches are under way at the most. */
    private final int room;

    private final EventText events = new EventText();

    DeviceSimulation(String category, List<Step> steps, int room) {
        this.category = category;
        this.steps = steps;
        this.room = room;
    }

    /** What is known of an activity that has run. */
    private record Ran(long start, long end) {}

    /** The trace of the program as it is. */
    EventText trace() {
        run(Scenario.RECORDED, true);
        return events;
    }

    /** How long the program takes. */
    long length(Scenario scenario) {
        return run(scenario, false);
    }

    private long run(Scenario scenario, boolean write) {
        Map<Integer, Ran> last = new HashMap<>();
        Map<Integer, List<Long>> ends = new HashMap<>();
        long host = 0;
        long latest = 0;
        int correlation = 0;
        for (Step step : steps) {
            long begin = host;
            host += scenario.host(step.length);
            if (step.call == null) {
                continue;
            }
            correlation++;
            for (Work work : step.launched.stream().limit(1).toList()) {
                List<Long> before = ends.computeIfAbsent(work.stream, s -> new ArrayList<>());
                if (before.size() >= room) {
                    host = Math.max(host, before.get(before.size() - room) + RETURN);
                }
            }
            long own = Long.MIN_VALUE;
            for (Work work : step.launched) {
                long start = host + LAUNCH;
                Ran before = last.get(work.stream);
                if (before != null) {
                    long ran = before.end - before.start;
                    boolean overlaps = work.share > 0;
                    start = Math.max(start, overlaps ? before.end - Math.round(ran * work.share) : before.end + FOLLOW);
                }
                start += work.share > 0 && before != null ? 0 : work.late;
                Ran now = new Ran(start, start + scenario.device(work));
                own = Math.max(own, now.end);
                latest = Math.max(latest, now.end);
                if (write) {
                    events.device(work.category, work.name, start, now.end - start, correlation, work.stream, "");
                }
                last.put(work.stream, now);
            }
            for (Work work : step.launched.stream().limit(1).toList()) {
                ends.get(work.stream).add(own);
            }
            if (step.waits) {
                for (Map.Entry<Integer, Ran> stream : last.entrySet()) {
                    boolean awaited =
                            step.launched.isEmpty() && (step.waitsFor < 0 || step.waitsFor == stream.getKey());
                    host = awaited ? Math.max(host, stream.getValue().end + RETURN) : host;
                }
                host = step.launched.isEmpty() ? host : Math.max(host, own + RETURN);
            }
            if (write) {
                events.complete(category, step.call, "1", "1", begin, host - begin, "\"correlation\": " + correlation);
            }
        }
        if (write) {
            events.op("program", 0, host);
        }
        return Math.max(host, latest);
    }
}
