// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Stage;

/**
 * {@code extract_power_event}: a sample of the accumulated charge for each event that recorded it, in the order of time
 * or cycles that is its key. The category keeps the event's name for later.
 */
final class PowerSamples implements Stage {
    static final AiuName NAME = new AiuName("Power");
    static final String UNIT = "Watts";
    private static final double SHORTEST = 0.1;

    /** Whether a process has a sample. */
    private static final class Begun {
        boolean said;
    }

    private final boolean byTs4;
    private final ByProcess<Begun> begun = new ByProcess<>(Begun::new);

    /** @param byTs4 whether samples stand at TS4 on the host's clock and not at TS3 */
    PowerSamples(boolean byTs4) {
        this.byTs4 = byTs4;
    }

    @Override
    public String name() {
        return "extract_power_event";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        next.accept(event);
        DeviceTimes times = event.device;
        if ((event.phase != 'X' && event.phase != 'b')
                || times == null
                || times.power < 0
                || times.host == null
                || event.name.contains(" Prep")
                || byTs4 && !(event.dur > SHORTEST)) {
            return;
        }
        double[] host = times.host;
        if (byTs4) {
            Begun begunOf = begun.of(event.pid);
            if (!begunOf.said) {
                begunOf.said = true;
                next.accept(sample(event, 0, host[2], host[2]));
            }
            next.accept(sample(event, (double) times.power, host[3], host[3]));
        } else {
            next.accept(sample(event, (double) times.power, host[2], (double) times.cycles[2]));
        }
    }

    private static AiuEvent sample(AiuEvent event, double charge, double ts, double key) {
        AiuEvent sample = AiuEvent.counter(NAME, ts, event.pid, event.name.text(), Args.of(UNIT, charge));
        sample.key = key;
        return sample;
    }
}
