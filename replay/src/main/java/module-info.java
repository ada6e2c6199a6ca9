// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels and operators taken out of traces, plans to run them again, energy, and parts against the whole:
 * {@link dev.lockstep.kernels.Kernels} and {@link dev.lockstep.replay.Replay} are the entries.
 */
module dev.lockstep.replay {
    requires transitive dev.lockstep.analysis;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.kernels;
    exports dev.lockstep.power;
    exports dev.lockstep.replay;
    exports dev.lockstep.replay.plan;
    exports dev.lockstep.replay.reconcile;

    uses dev.lockstep.replay.plan.ReplayExecutors;
}
