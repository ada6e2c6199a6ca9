// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.acelyzer;

import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.JobRange;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Where jobs lie as acelyzer has it: a wait or work that there is not lies from the end of all times to their beginning, so
 * that a job without a wait is wider than it. Every such job is named; of those that lie outside, the first; of those that
 * overlap, the last pair.
 */
final class AcelyzerOffsets implements AiuRules.JobOffsetRule {
    private static final double NEVER = 1e99;

    private record Span(double start, double end) {
        static Span of(double start, double end) {
            return new Span(Math.min(NEVER, start), Math.max(0, end));
        }

        double length() {
            return end - start;
        }
    }

    @Override
    public List<String> decide(List<JobRange> jobs) {
        List<String> warnings = new ArrayList<>();
        JobRange outside = null;
        for (JobRange job : jobs) {
            Span host = Span.of(job.hostStart, job.hostEnd);
            Span device = Span.of(job.deviceStart, job.deviceEnd);
            if (host.start <= device.start && host.end >= device.end) {
                continue;
            }
            if (host.length() < device.length()) {
                warnings.add("FREQ: aiu event range of " + job.name
                        + " is wider than cpu range. Will not attempt to adjust timestamps.");
            } else {
                job.offset = host.start - device.start;
            }
            outside = outside == null ? job : outside;
        }
        if (outside != null) {
            warnings.add("FREQ: job: ('" + outside.name + "', " + spelled(outside.offset)
                    + ") has AIU events outside of corresponding CPU range. Attempting to fix might cause"
                    + " unreliable data.");
        }
        overlap(jobs, warnings);
        return warnings;
    }

    /** Once a pair overlaps, every pair after it counts as overlapping. */
    private static void overlap(List<JobRange> jobs, List<String> warnings) {
        String pair = null;
        for (JobRange job : jobs) {
            Span host = Span.of(job.hostStart, job.hostEnd);
            for (JobRange other : jobs) {
                Span next = Span.of(other.hostStart, other.hostEnd);
                if (other == job || host.start >= next.start) {
                    continue;
                }
                double first = Math.min(NEVER, job.deviceStart);
                double nextFirst = Math.min(NEVER, other.deviceStart);
                boolean apart = host.end < next.start && first < nextFirst && Math.max(0, job.lastEnd) < nextFirst;
                if (!apart || pair != null) {
                    pair = "('" + job.name + "', '" + other.name + "')";
                    break;
                }
            }
        }
        if (pair != null) {
            warnings.add("FREQ: Detected a job timestamp overlap in the input data: " + pair
                    + " Possible cause is a frequency mismatch or input data misalignment.");
        }
    }

    /** As Python spells numbers of this size. */
    private static String spelled(double offset) {
        if (Double.isNaN(offset)) {
            return "None";
        }
        String plain = new BigDecimal(Double.toString(offset)).toPlainString();
        return plain.contains(".") ? plain : plain + ".0";
    }
}
