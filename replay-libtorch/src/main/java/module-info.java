// SPDX-License-Identifier: Apache-2.0
/**
 * Runs operators through libtorch, in a process of its own.
 */
module dev.lockstep.libtorch {
    requires transitive dev.lockstep.replay;
    requires static transitive org.jspecify;
    requires java.management;
    requires static org.bytedeco.javacpp;
    requires static org.bytedeco.pytorch;

    exports dev.lockstep.libtorch to
            dev.lockstep.cli;

    provides dev.lockstep.replay.plan.ReplayExecutors with
            dev.lockstep.libtorch.LibtorchExecutors;
}
