// SPDX-License-Identifier: Apache-2.0
/**
 * Traces as columns: what files are read into, structures that many analyses share, reports and what writes them.
 * What other modules of the program use of readers and codecs is open to them alone.
 */
module dev.lockstep.trace {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.error;
    exports dev.lockstep.model;
    exports dev.lockstep.report;
    exports dev.lockstep.session;
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
            dev.lockstep.sql;
    exports dev.lockstep.derive to
            dev.lockstep.analysis,
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.publish,
            dev.lockstep.ranks,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql;
    exports dev.lockstep.dialect to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.fetch to
            dev.lockstep.cli,
            dev.lockstep.libtorch;
    exports dev.lockstep.read to
            dev.lockstep.aiu,
            dev.lockstep.analysis,
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.hangs,
            dev.lockstep.libtorch,
            dev.lockstep.ranks,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql,
            dev.lockstep.synth;
    exports dev.lockstep.read.execution to
            dev.lockstep.cli,
            dev.lockstep.replay;
    exports dev.lockstep.read.flex to
            dev.lockstep.aiu;
    exports dev.lockstep.read.nsys to
            dev.lockstep.compat,
            dev.lockstep.goal,
            dev.lockstep.sql;
    exports dev.lockstep.read.perfetto to
            dev.lockstep.aiu,
            dev.lockstep.bench;
    exports dev.lockstep.read.torch to
            dev.lockstep.aiu,
            dev.lockstep.bench,
            dev.lockstep.ranks;
    exports dev.lockstep.tabular to
            dev.lockstep.analysis,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.publish,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql;
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
            dev.lockstep.synth;
    exports dev.lockstep.write.perfetto to
            dev.lockstep.aiu,
            dev.lockstep.ranks;

    uses dev.lockstep.dialect.Dialect;
    uses dev.lockstep.read.TraceReader;
    uses dev.lockstep.write.ReportWriter;
    uses dev.lockstep.write.StyledWorkbookWriter;
    uses dev.lockstep.write.TraceWriter;
}
