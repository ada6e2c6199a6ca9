// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

/** Frequency of a device in MHz as its executions tell: cycles by duration, and cycles between starts by their distance. */
final class FrequencyOfProcess {
    final RunningMean byDuration = new RunningMean();
    final RunningMean byInterval = new RunningMean();
    private final boolean wraps;
    private double lastTs;
    private long lastCycle;

    /** @param wraps whether counters go on behind a wrap, as they do; else it counts as a jump back */
    FrequencyOfProcess(boolean wraps) {
        this.wraps = wraps;
    }

    /** Takes an execution; false when it does not start behind the one before. */
    boolean add(double ts, double dur, long begin, long end) {
        double own = (end - begin) / dur;
        byDuration.add(own);
        double gap = ts - lastTs;
        boolean ahead = byInterval.count() == 0 || gap > 0;
        long cycles = begin - lastCycle;
        if (wraps) {
            cycles += Normalization.WRAP * Math.round((gap * own - cycles) / Normalization.WRAP);
        }
        byInterval.add(byInterval.count() == 0 || gap <= 0 ? own : cycles / gap);
        lastTs = ts;
        lastCycle = begin;
        return ahead;
    }
}
