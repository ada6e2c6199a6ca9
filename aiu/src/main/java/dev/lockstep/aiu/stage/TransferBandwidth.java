// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;

/** {@code compute_bandwidth}: bytes of a DMA over its duration, in GB/s, as a counter for each direction. */
final class TransferBandwidth implements Stage {
    private static final AiuName IN = new AiuName("BW DmaI");
    private static final AiuName OUT = new AiuName("BW DmaO");
    private static final String UNIT = "GB/s";

    @Override
    public String name() {
        return "compute_bandwidth";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        next.accept(event);
        int step = event.name.step();
        if (!event.isComplete() || event.args == null || step != AiuName.DMA_IN && step != AiuName.DMA_OUT) {
            return;
        }
        double bytes = ReduceBandwidth.bytes(event.args);
        if (bytes > 0 && event.dur > 0) {
            AiuName name = step == AiuName.DMA_IN ? IN : OUT;
            double rate = Rounding.of(bytes / event.dur / 1000, 3);
            next.accept(AiuEvent.counter(name, event.ts, event.pid, null, Args.of(UNIT, rate)));
            next.accept(AiuEvent.counter(name, event.end(), event.pid, null, Args.of(UNIT, 0.0)));
        }
    }
}
