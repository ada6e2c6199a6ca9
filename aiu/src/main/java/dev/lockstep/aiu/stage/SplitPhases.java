// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;

/** {@code tripple_phased_events}: an event of the device becomes up to three, for DMA in, execution and DMA out. */
final class SplitPhases implements Stage {
    private static final double TOLERANCE = 1.0 / 560;
    private static final String[] SUFFIXES = {"_DmaI", "_Cmpt", "_DmaO"};
    private static final int[] FROM = {0, 2, 3};

    private final Map<String, AiuName> names = new HashMap<>();

    @Override
    public String name() {
        return "tripple_phased_events";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (!event.isComplete() || event.device == null || event.device.host == null) {
            if (!event.isComplete() || !event.name.contains(" Prep")) {
                next.accept(event);
            }
            return;
        }
        if (event.name.contains(" Prep")) {
            return;
        }
        int only = switch (event.name.step()) {
            case AiuName.DMA_IN -> 0;
            case AiuName.EXEC -> 1;
            case AiuName.DMA_OUT -> 2;
            default -> -1;
        };
        for (int part = 0; part < SUFFIXES.length; part++) {
            if (only < 0 || only == part) {
                next.accept(part(event, event.device, part));
            }
        }
    }

    private AiuEvent part(AiuEvent event, DeviceTimes times, int part) {
        AiuEvent copy = event.copy();
        double[] host = times.host;
        if (host != null) {
            double from = host[FROM[part]];
            double to = host[FROM[part] + 1];
            copy.ts = from;
            copy.dur = from + TOLERANCE <= to ? Rounding.of(to - from - TOLERANCE / 2, 3) : 0;
        }
        String word = SUFFIXES[part].substring(1);
        if (!event.name.contains(word)) {
            copy.name = names.computeIfAbsent(event.name.text() + SUFFIXES[part], AiuName::new);
        }
        return copy;
    }
}
