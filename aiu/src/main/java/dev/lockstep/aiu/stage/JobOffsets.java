// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code frequency_align_collect} and {@code frequency_align_apply}: what a job did on the device lies within the time
 * for which the host waited for it; where it does not, the device's events are moved.
 */
final class JobOffsets {
    private static final class Ranges {
        double hostStart = Double.POSITIVE_INFINITY;
        double hostEnd = Double.NEGATIVE_INFINITY;
        double deviceStart = Double.POSITIVE_INFINITY;
        double deviceEnd = Double.NEGATIVE_INFINITY;
        double offset = Double.NaN;

        boolean isKnown() {
            return hostStart < hostEnd && deviceStart <= deviceEnd;
        }
    }

    private final AiuRules.DeviceEndRule deviceEnd;
    private final Map<Job, Ranges> jobs = new LinkedHashMap<>();
    private boolean decided;
    private @Nullable Job outside;
    private @Nullable Job wider;
    private boolean overlapping;

    JobOffsets(AiuRules.DeviceEndRule deviceEnd) {
        this.deviceEnd = deviceEnd;
    }

    Stage collect() {
        return new Stage() {
            @Override
            public String name() {
                return "frequency_align_collect";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete() && event.job != null) {
                    add(event, jobs.computeIfAbsent(event.job, job -> new Ranges()));
                }
                next.accept(event);
            }
        };
    }

    Stage apply() {
        return new Stage() {
            @Override
            public String name() {
                return "frequency_align_apply";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                decide();
                if (event.isComplete() && event.device != null && event.job != null) {
                    Ranges ranges = jobs.get(event.job);
                    if (ranges != null && !Double.isNaN(ranges.offset)) {
                        event.ts += ranges.offset;
                        event.put("ts_adj", ranges.offset);
                    }
                }
                next.accept(event);
            }

            @Override
            public void finish(AiuLog log) {
                decide();
                report(log);
            }
        };
    }

    private void add(AiuEvent event, Ranges ranges) {
        if (event.name.text().equals("AIU Roundtrip")) {
            ranges.hostStart = Math.min(ranges.hostStart, event.ts);
            ranges.hostEnd = Math.max(ranges.hostEnd, event.end());
        }
        if (event.device != null) {
            ranges.deviceStart = Math.min(ranges.deviceStart, event.ts);
            ranges.deviceEnd = deviceEnd.end(ranges.deviceEnd, ranges.hostEnd, event.end());
        }
    }

    private void decide() {
        if (decided) {
            return;
        }
        decided = true;
        double lastEnd = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Job, Ranges> entry : jobs.entrySet()) {
            Ranges r = entry.getValue();
            if (!r.isKnown()) {
                continue;
            }
            overlapping |= r.hostStart < lastEnd;
            lastEnd = Math.max(lastEnd, r.hostEnd);
            if (r.deviceStart >= r.hostStart && r.deviceEnd <= r.hostEnd) {
                continue;
            }
            outside = outside == null ? entry.getKey() : outside;
            if (r.hostEnd - r.hostStart < r.deviceEnd - r.deviceStart) {
                wider = wider == null ? entry.getKey() : wider;
            } else {
                r.offset = r.hostStart - r.deviceStart;
            }
        }
    }

    private void report(AiuLog log) {
        if (outside != null) {
            Ranges ranges = jobs.get(outside);
            String offset = ranges == null || Double.isNaN(ranges.offset) ? "None" : Double.toString(ranges.offset);
            log.warn("FREQ: job: ('" + outside.name() + "', " + offset
                    + ") has AIU events outside of corresponding CPU range");
        }
        if (wider != null) {
            log.warn("FREQ: aiu event range of " + wider.name() + " is wider than cpu range");
        }
        if (overlapping) {
            log.warn("FREQ: Detected a job timestamp overlap");
        }
    }
}
