// SPDX-License-Identifier: Apache-2.0
/**
 * Tables with units, reports made of them, and what writes and reads them; codecs of bytes, and failures by who can act.
 * What other modules of the program use of writers and codecs is open to them alone.
 */
module dev.lockstep.tables {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.error;
    exports dev.lockstep.report;
    exports dev.lockstep.table;
    exports dev.lockstep.codec to
            dev.lockstep.aiu,
            dev.lockstep.analysis,
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.hangs,
            dev.lockstep.libtorch,
            dev.lockstep.publish,
            dev.lockstep.ranks,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql,
            dev.lockstep.trace;
    exports dev.lockstep.fetch to
            dev.lockstep.cli,
            dev.lockstep.libtorch,
            dev.lockstep.trace;
    exports dev.lockstep.tabular to
            dev.lockstep.analysis,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.publish,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql,
            dev.lockstep.trace;
    exports dev.lockstep.write to
            dev.lockstep.aiu,
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.libtorch,
            dev.lockstep.publish,
            dev.lockstep.ranks,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql,
            dev.lockstep.synth,
            dev.lockstep.trace;
}
