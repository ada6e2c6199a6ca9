// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.write.Numbers;

/** Frequency in MHz between the reference of a process and the first event of each job. */
final class JobFrequencies {
    private static final double TOLERANCE = 0.1;
    private static final double WIDE = 0.2;

    private final RunningMean frequencies = new RunningMean();
    private long drift;

    /** @param driftUs microseconds between the job's own epoch and the reference */
    void add(double mhz, long driftUs) {
        frequencies.add(mhz);
        drift = Math.abs(driftUs) > Math.abs(drift) ? driftUs : drift;
    }

    void report(double givenMhz, AiuLog log) {
        double mean = frequencies.mean();
        if (Math.abs(mean) <= 1e-9) {
            return;
        }
        if (frequencies.max() - frequencies.min() > mean * WIDE) {
            log.warn("FREQ: Min/Max of detected correct frequency is >20% of mean ("
                    + Numbers.python(Rounding.of(frequencies.min(), 3)) + ","
                    + Numbers.python(Rounding.of(frequencies.max(), 3))
                    + "). This indicates some events might have been assigned to the wrong TSx epoch.");
        } else if (Math.abs(mean - givenMhz) > TOLERANCE) {
            log.warn("FREQ: Recommendation: to minimize event time drift (max: " + drift
                    + "us) between CPU and Accelerator, use: --freq=" + Numbers.python(Rounding.of(mean, 3)));
        }
    }
}
