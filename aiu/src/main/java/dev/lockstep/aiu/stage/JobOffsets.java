// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.aiu.pipeline.JobRange;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code frequency_align_collect} and {@code frequency_align_apply}: what a job did on the device lies within the time
 * for which the host waited for it; where it does not, the device's events are moved.
 */
final class JobOffsets {
    /** Microseconds below which nothing is moved. */
    private static final double NOTHING = 1e-9;

    private final AiuRules.Clocks rules;
    private final Map<Job, JobRange> jobs = new LinkedHashMap<>();
    private @Nullable List<String> warnings;

    JobOffsets(AiuRules.Clocks rules) {
        this.rules = rules;
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
                    add(event, jobs.computeIfAbsent(event.job, job -> new JobRange(job.name())));
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
                    JobRange range = jobs.get(event.job);
                    if (range != null && Math.abs(range.offset) > NOTHING) {
                        event.ts += range.offset;
                        event.put("ts_adj", range.offset);
                    }
                }
                next.accept(event);
            }

            @Override
            public void finish(AiuLog log) {
                decide().forEach(log::warn);
            }
        };
    }

    private void add(AiuEvent event, JobRange range) {
        if (event.device == null && event.name.text().equals("AIU Roundtrip")) {
            range.hostStart = Math.min(range.hostStart, event.ts);
            range.hostEnd = Math.max(range.hostEnd, event.end());
        }
        if (event.device != null) {
            range.deviceStart = Math.min(range.deviceStart, event.ts);
            range.deviceEnd = rules.deviceEnd().end(range.deviceEnd, range.hostEnd, event.end());
            range.lastEnd = Math.max(range.lastEnd, event.end());
        }
    }

    private List<String> decide() {
        List<String> decided = warnings;
        if (decided == null) {
            decided = rules.offsets().decide(List.copyOf(jobs.values()));
            warnings = decided;
        }
        return decided;
    }
}
