// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.replay.plan.ReplaySettings;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerClockTest {
    private static final long MS = 1_000_000;

    /** A device that notes what it is given; it comes to the beginning at once where nothing stands before it. */
    private static final class NotedQueue implements DeviceQueue {
        private final List<String> asked = new ArrayList<>();
        private final boolean spins;
        private boolean busy;

        NotedQueue(boolean spins) {
            this.spins = spins;
        }

        @Override
        public void synchronize() {
            asked.add("synchronize");
            busy = false;
        }

        @Override
        public void spin(long ns) {
            asked.add("spin");
            busy = true;
        }

        @Override
        public boolean spins() {
            return spins;
        }

        @Override
        public void begin() {
            asked.add("begin");
        }

        @Override
        public void end() {
            asked.add("end");
        }

        @Override
        public boolean hasBegun() {
            asked.add("hasBegun");
            return !busy;
        }

        @Override
        public long elapsed() {
            asked.add("elapsed");
            busy = false;
            return 7;
        }
    }

    private static WorkerSettings cuda() {
        return WorkerSettings.running(
                new ReplaySettings("cuda", 1, Repeats.chosen(1_000 * MS), Cache.HOT, 1 << 20), "test");
    }

    @Test
    void aCallIsQueuedBehindWork() {
        NotedQueue queue = new NotedQueue(true);
        WorkerClock clock = new WorkerClock(cuda(), queue);
        QueuedWork before = new QueuedWork();

        clock.time(stack -> queue.asked.add("call"), null, before);
        assertThat(queue.asked).containsExactly("synchronize", "begin", "call", "end", "elapsed");

        queue.asked.clear();
        before.want(true);
        clock.time(stack -> queue.asked.add("call"), null, before);
        assertThat(queue.asked).containsExactly("synchronize", "spin", "begin", "call", "end", "hasBegun", "elapsed");
        assertThat(before.queued()).isOne();
        assertThat(clock.device()).isEqualTo(7);
    }

    @Test
    void anOperatorThatWaitsForTheDeviceIsLeftAlone() {
        QueuedWork before = new QueuedWork();
        before.want(true);
        before.called(30_000, 0, false);
        long busy = before.ns();
        assertThat(busy).isEqualTo(120_000);

        before.called(30_000 + busy, busy, false);

        assertThat(before.ns()).isZero();
        assertThat(before.queued()).isZero();
    }

    @Test
    void theWorkIsLongEnoughForTheCallAndNotForOneThatWasDisturbed() {
        QueuedWork before = new QueuedWork();
        before.want(true);
        assertThat(before.ns()).as("nothing is known").isZero();
        before.called(900 * MS, 0, false);
        assertThat(before.ns()).as("a first call that loads libraries").isEqualTo(20 * MS);
        before.called(5_000, 20 * MS, true);
        assertThat(before.ns()).isEqualTo(50_000);
        before.called(40_000, 50_000, false); // came late, but did not wait for the device
        assertThat(before.ns()).isEqualTo(50_000);
        before.called(9_000, 50_000, true);
        assertThat(before.queued()).isEqualTo(2);
        before.want(false);
        assertThat(before.ns()).isZero();
    }

    @Test
    void withoutAKernelThatSpinsTheEventsStandAlone() {
        NotedQueue queue = new NotedQueue(false);
        WorkerClock clock = new WorkerClock(cuda(), queue);
        QueuedWork before = new QueuedWork();
        before.want(true);

        clock.time(stack -> queue.asked.add("call"), null, before);
        clock.time(stack -> queue.asked.add("call"), null, before);

        assertThat(queue.asked).doesNotContain("spin");
        assertThat(before.queued()).isZero();
    }
}
