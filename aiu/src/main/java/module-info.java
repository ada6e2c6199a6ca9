// SPDX-License-Identifier: Apache-2.0
/**
 * Traces of IBM's AIU, as events that stages change one after the other.
 */
module dev.lockstep.aiu {
    requires transitive dev.lockstep.ranks;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.aiu to
            dev.lockstep.cli;
    exports dev.lockstep.aiu.pipeline to
            dev.lockstep.cli,
            dev.lockstep.compat;
}
