// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules for network simulators: from recordings of NCCL or of PyTorch to GOAL, read back, proven, simulated.
 */
module dev.lockstep.goal {
    requires transitive dev.lockstep.ranks;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.goal;
    exports dev.lockstep.goal.model;
    exports dev.lockstep.goal.algorithm to
            dev.lockstep.compat;
    exports dev.lockstep.goal.chakra to
            dev.lockstep.cli;
    exports dev.lockstep.goal.generate to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.goal.nccl to
            dev.lockstep.compat,
            dev.lockstep.sql;
    exports dev.lockstep.goal.recording to
            dev.lockstep.compat;
    exports dev.lockstep.goal.schedule to
            dev.lockstep.compat;

    uses dev.lockstep.read.nsys.NsysExports;
}
