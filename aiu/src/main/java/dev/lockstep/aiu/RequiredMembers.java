// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Stage;

/** Drops events that lack a time, process or name, and slices that lack a duration, and says so. */
final class RequiredMembers implements Stage {
    private static final int SAID = 20;

    private final boolean timeless;
    private final AiuLog log;
    private long dropped;

    /** @param timeless whether metadata needs no time */
    RequiredMembers(boolean timeless, AiuLog log) {
        this.timeless = timeless;
        this.log = log;
    }

    @Override
    public String name() {
        return "sanity_check";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.phase == 'M' && timeless && Double.isNaN(event.ts)) {
            event.ts = 0;
        }
        String lacking = lacking(event);
        if (lacking.isEmpty()) {
            next.accept(event);
            return;
        }
        if (dropped++ < SAID) {
            log.error("Event failed sanityCheck:  " + lacking + " is not in " + event.phase + " " + event.name);
        }
    }

    private static String lacking(AiuEvent event) {
        if (Double.isNaN(event.ts)) {
            return "ts";
        }
        if (!event.hasPid) {
            return "pid";
        }
        if (event.name.text().isEmpty()) {
            return "name";
        }
        return event.isComplete() && Double.isNaN(event.dur) ? "dur" : "";
    }

    @Override
    public void finish(AiuLog out) {
        if (dropped > SAID) {
            out.error("Event failed sanityCheck:  " + (dropped - SAID) + " more");
        }
    }
}
