// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules for network simulators: from recordings of NCCL or of PyTorch to GOAL, read back, proven, simulated.
 */
module dev.lockstep.goal {
    requires transitive dev.lockstep.analysis;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.goal;
    exports dev.lockstep.goal.algorithm;
    exports dev.lockstep.goal.check;
    exports dev.lockstep.goal.kineto;
    exports dev.lockstep.goal.nccl;
    exports dev.lockstep.goal.network;
    exports dev.lockstep.goal.report;
    exports dev.lockstep.goal.schedule;
    exports dev.lockstep.goal.stored;
}
