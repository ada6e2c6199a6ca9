// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves jobs whose device ran outside of the host's wait to where that begins, where they fit into it. */
final class MeasuredOffsets implements AiuRules.JobOffsetRule {
    @Override
    public List<String> decide(List<JobRange> jobs) {
        JobRange outside = null;
        JobRange wider = null;
        boolean overlapping = false;
        double lastEnd = Double.NEGATIVE_INFINITY;
        for (JobRange job : jobs) {
            if (!job.isKnown()) {
                continue;
            }
            overlapping |= job.hostStart < lastEnd;
            lastEnd = Math.max(lastEnd, job.hostEnd);
            if (job.deviceStart >= job.hostStart && job.deviceEnd <= job.hostEnd) {
                continue;
            }
            outside = outside == null ? job : outside;
            if (job.hostEnd - job.hostStart < job.deviceEnd - job.deviceStart) {
                wider = wider == null ? job : wider;
            } else {
                job.offset = job.hostStart - job.deviceStart;
            }
        }
        return warnings(outside, wider, overlapping);
    }

    private static List<String> warnings(@Nullable JobRange outside, @Nullable JobRange wider, boolean overlapping) {
        List<String> warnings = new ArrayList<>();
        if (outside != null) {
            String offset = Double.isNaN(outside.offset) ? "None" : Double.toString(outside.offset);
            warnings.add("FREQ: job: ('" + outside.name + "', " + offset
                    + ") has AIU events outside of corresponding CPU range");
        }
        if (wider != null) {
            warnings.add("FREQ: aiu event range of " + wider.name + " is wider than cpu range");
        }
        if (overlapping) {
            warnings.add("FREQ: Detected a job timestamp overlap");
        }
        return warnings;
    }
}
