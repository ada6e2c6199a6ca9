// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels and operators taken out of traces, plans to run them again, energy, and parts against the whole:
 * {@link dev.lockstep.kernels.Kernels} and {@link dev.lockstep.replay.Replay} are the entries.
 */
module dev.lockstep.replay {
    requires transitive dev.lockstep.analysis;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.kernels to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.publish;
    exports dev.lockstep.power to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.replay to
            dev.lockstep.cli;
    exports dev.lockstep.replay.plan to
            dev.lockstep.cli,
            dev.lockstep.libtorch;
    exports dev.lockstep.replay.reconcile to
            dev.lockstep.cli,
            dev.lockstep.compat;

    uses dev.lockstep.replay.plan.ReplayExecutors;
}
