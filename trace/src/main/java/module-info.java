// SPDX-License-Identifier: Apache-2.0
/**
 * Traces as columns: what files are read into, structures that many analyses share, and writers of timelines. What
 * other modules of the program use of readers is open to them alone.
 */
module dev.lockstep.trace {
    requires transitive dev.lockstep.tables;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.model;
    exports dev.lockstep.session;
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
    exports dev.lockstep.timeline to
            dev.lockstep.bench,
            dev.lockstep.explain,
            dev.lockstep.ranks,
            dev.lockstep.runs;
    exports dev.lockstep.timeline.perfetto to
            dev.lockstep.aiu,
            dev.lockstep.ranks;

    uses dev.lockstep.dialect.Dialect;
    uses dev.lockstep.read.TraceReader;
    uses dev.lockstep.timeline.TraceWriter;
    uses dev.lockstep.write.ReportWriter;
    uses dev.lockstep.write.StyledWorkbookWriter;
}
