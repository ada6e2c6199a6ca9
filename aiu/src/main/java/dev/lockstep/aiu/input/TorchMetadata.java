// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;

/** Metadata of a process in a torch trace names device 0 whatever the rank; here it gets the rank's. */
final class TorchMetadata {
    private static final long RANK_STEP = 123_000;
    private static final long DEVICE_STEP = 15;

    private TorchMetadata() {}

    static void adjust(AiuEvent event, int rank) {
        String name = event.name.text();
        if (!name.startsWith("process") || event.args == null) {
            return;
        }
        if (name.endsWith("sort_index")) {
            event.args.put("sort_index", rank * RANK_STEP + (event.pid > rank ? 0 : DEVICE_STEP));
        } else if (name.endsWith("_labels")) {
            String labels = event.args.text("labels");
            if (labels != null && !labels.isEmpty() && Character.isDigit(labels.charAt(labels.length() - 1))) {
                event.args.put("labels", labels.substring(0, labels.length() - 1) + rank);
            }
        }
    }
}
