// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/** Counts open intervals; gives steps of the count that later intervals cannot change any more. */
public interface OpenCount {
    /** Takes steps: from then on so many are open. */
    @FunctionalInterface
    interface StepSink {
        void step(double ts, long open);
    }

    void add(double start, double end, StepSink steps);

    void finish(StepSink steps);
}
