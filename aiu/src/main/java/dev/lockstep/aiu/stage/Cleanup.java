// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;

/** Stages that take away what only other stages needed. */
final class Cleanup {
    private Cleanup() {}

    /** {@code flow_data_cleanup}: helpers of flow detection. */
    static final class Flows implements Stage {
        @Override
        public String name() {
            return "flow_data_cleanup";
        }

        @Override
        public void accept(AiuEvent event, Next next) {
            if (event.phase != 'F') {
                next.accept(event);
            }
        }
    }

    /** {@code cleanup_copy_of_device_ts}: times on the device's clock. */
    static final class DeviceClock implements Stage {
        @Override
        public String name() {
            return "cleanup_copy_of_device_ts";
        }

        @Override
        public void accept(AiuEvent event, Next next) {
            if (event.device != null) {
                event.device.forgetDeviceClock();
            }
            next.accept(event);
        }
    }

    /** {@code cycle_count_conversion_cleanup}: counters on the host's clock; files are named with their number. */
    static final class HostClock implements Stage {
        @Override
        public String name() {
            return "cycle_count_conversion_cleanup";
        }

        @Override
        public void accept(AiuEvent event, Next next) {
            if (event.device != null) {
                event.device.host = null;
            }
            event.finished = true;
            next.accept(event);
        }
    }
}
