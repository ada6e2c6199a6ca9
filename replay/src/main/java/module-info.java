// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels and operators taken out of traces, plans to run them again, energy, and parts against the whole.
 */
module dev.lockstep.replay {
    requires transitive dev.lockstep.analysis;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.kernels;
    exports dev.lockstep.power;
    exports dev.lockstep.replay;
    exports dev.lockstep.replay.export;
    exports dev.lockstep.replay.reconcile;
}
