// SPDX-License-Identifier: Apache-2.0
/**
 * Synthetic traces of training runs, and the truth about them.
 */
module dev.lockstep.synth {
    requires transitive dev.lockstep.trace;
    requires static transitive org.jspecify;

    exports dev.lockstep.synth to
            dev.lockstep.bench,
            dev.lockstep.cli;
}
