// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.EventOrigin;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.aiu.pipeline.StageChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Events for tests of stages, and what becomes of them. Counters run at 500 MHz. */
final class StageEvents {
    static final double MHZ = 500;
    static final Job JOB = new Job(0, "a.json", EventOrigin.FLEX);
    static final Job TORCH = new Job(1, "t.json", EventOrigin.TORCH);

    private final List<String> said = new ArrayList<>();
    private final AiuLog log = new AiuLog(AiuLog.Level.INFO, (level, line) -> said.add(level + " " + line));

    AiuLog log() {
        return log;
    }

    /** What was said, each line behind its level. */
    List<String> said() {
        return said;
    }

    /** A complete event of a FLEX file on thread 7; arguments by name and value. */
    static AiuEvent x(String name, long pid, double ts, double dur, Object... args) {
        AiuEvent event = new AiuEvent('X', new AiuName(name));
        event.ts = ts;
        event.dur = dur;
        event.pid = pid;
        event.hasPid = true;
        event.tid = 7;
        event.hasTid = true;
        event.job = JOB;
        for (int i = 0; i < args.length; i += 2) {
            event.put((String) args[i], args[i + 1]);
        }
        return event;
    }

    /** The event with these counters, not mapped yet. */
    static AiuEvent counted(AiuEvent event, long... cycles) {
        DeviceTimes times = new DeviceTimes();
        System.arraycopy(cycles, 0, times.cycles, 0, cycles.length);
        event.device = times;
        return event;
    }

    /** The event with counters that lie at these microseconds on its device's clock, and at the same on the host's. */
    static AiuEvent mapped(AiuEvent event, double... us) {
        DeviceTimes times = new DeviceTimes();
        times.map(MHZ);
        double[] host = times.toHost();
        for (int i = 0; i < us.length; i++) {
            times.cycles[i] = Math.round(us[i] * MHZ);
            host[i] = us[i];
        }
        event.device = times;
        return event;
    }

    static AiuEvent phase(char phase, AiuEvent event) {
        event.phase = phase;
        return event;
    }

    /** The events that leave the stages, in order. */
    List<AiuEvent> events(List<Stage> stages, AiuEvent... events) {
        List<AiuEvent> out = new ArrayList<>();
        StageChain chain = new StageChain(stages, out::add);
        for (AiuEvent event : events) {
            chain.accept(event);
        }
        chain.finish(log);
        return out;
    }

    /** The same as text: phase, name, process, start, duration where there is one, arguments. */
    List<String> through(List<Stage> stages, AiuEvent... events) {
        return events(stages, events).stream().map(StageEvents::spelled).toList();
    }

    static String spelled(AiuEvent event) {
        Map<String, Object> args = new TreeMap<>();
        for (int i = 0; event.args != null && i < event.args.size(); i++) {
            args.put(event.args.key(i), event.args.value(i));
        }
        return event.phase + " " + event.name + " " + event.pid + " " + event.ts
                + (Double.isNaN(event.dur) ? "" : "+" + event.dur) + (args.isEmpty() ? "" : " " + args);
    }
}
