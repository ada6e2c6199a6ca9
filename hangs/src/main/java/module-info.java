// SPDX-License-Identifier: Apache-2.0
/**
 * Why a job does not go on, and which link is slow: dumps of PyTorch's Flight Recorder, lines of NCCL's Inspector.
 */
module dev.lockstep.hangs {
    requires transitive dev.lockstep.analysis;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.hangs to
            dev.lockstep.cli;
    exports dev.lockstep.links to
            dev.lockstep.cli;
}
