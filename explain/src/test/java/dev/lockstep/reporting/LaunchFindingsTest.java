// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of launches must be so. */
class LaunchFindingsTest {
    private static final int LIMIT = 32;
    private static final long KERNEL_NS = 100_000;

    /** The host launches every 2 µs kernels of 100 µs, and waits while as many wait as the queue takes. */
    private static List<Finding> launches(int takes) throws IOException {
        EventText events = new EventText();
        Deque<Long> starts = new ArrayDeque<>();
        long host = 0;
        long device = 0;
        for (int i = 1; i <= 400; i++) {
            long call = host;
            while (!starts.isEmpty() && starts.peek() <= call) {
                starts.poll();
            }
            if (starts.size() >= takes) {
                host = starts.poll();
            }
            host += 2000;
            device = Math.max(device, host);
            events.call("cudaLaunchKernel", call, host - call, i).kernel("k", device, KERNEL_NS, i, 7);
            starts.add(device);
            device += KERNEL_NS;
        }
        ReportOptions options = ReportOptions.standard()
                .with(new ReportOptions.Launches(LIMIT, null, ReportOptions.Launches.DEFAULT_LEAST));
        return PerformanceReport.of(
                        TestTraces.read(TestTraces.document(events.toString()).getBytes(StandardCharsets.UTF_8)),
                        options)
                .sections()
                .stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(section -> ((FindingsSection) section).findings().stream())
                .filter(finding -> finding.code().equals("queue_full"))
                .toList();
    }

    @Test
    void aQueueThatStaysAtItsLimitIsFull() throws IOException {
        assertThat(launches(LIMIT))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).contains("stream 7 is full", "32 launches or more"));
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT - 2, 2 * LIMIT, 1000})
    void aQueueThatNeverReachesItOrGetsLongerIsNot(int takes) throws IOException {
        assertThat(launches(takes)).isEmpty();
    }
}
