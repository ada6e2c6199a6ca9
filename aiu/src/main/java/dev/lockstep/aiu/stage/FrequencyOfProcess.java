// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuRules;

/** Frequency of a device in MHz as its executions tell: cycles by duration, and cycles between starts by their distance. */
final class FrequencyOfProcess {
    final RunningMean byDuration = new RunningMean();
    final RunningMean byInterval = new RunningMean();
    private final AiuRules.CycleRule between;
    private double lastTs;
    private long lastCycle;

    FrequencyOfProcess(AiuRules.CycleRule between) {
        this.between = between;
    }

    /** Takes an execution; false when it does not start behind the one before. */
    boolean add(double ts, double dur, long begin, long end) {
        double own = (end - begin) / dur;
        byDuration.add(own);
        double gap = ts - lastTs;
        boolean ahead = byInterval.count() == 0 || gap > 0;
        double cycles = between.cycles(begin - lastCycle, gap * own, Normalization.WRAP);
        byInterval.add(byInterval.count() == 0 || gap <= 0 ? own : cycles / gap);
        lastTs = ts;
        lastCycle = begin;
        return ahead;
    }
}
