// SPDX-License-Identifier: Apache-2.0
/**
 * Analyses of one rank, of all ranks of a run, of two runs and of sweeps; merged timelines; the reports that are made of them.
 * What other modules of the program build on is open to them alone.
 */
module dev.lockstep.analysis {
    requires transitive dev.lockstep.trace;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep;
    exports dev.lockstep.merge;
    exports dev.lockstep.options;
    exports dev.lockstep.analyze to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.replay;
    exports dev.lockstep.analyze.comm to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.sql;
    exports dev.lockstep.analyze.compare to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.analyze.gemm to
            dev.lockstep.bench,
            dev.lockstep.cli;
    exports dev.lockstep.analyze.memory to
            dev.lockstep.bench,
            dev.lockstep.cli;
    exports dev.lockstep.analyze.time to
            dev.lockstep.bench;
    exports dev.lockstep.analyze.work to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.clocks to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.goal;
    exports dev.lockstep.compare to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.publish;
    exports dev.lockstep.compare.configurations to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.compare.reports to
            dev.lockstep.bench,
            dev.lockstep.cli;
    exports dev.lockstep.compare.sheets to
            dev.lockstep.compat,
            dev.lockstep.publish;
    exports dev.lockstep.compare.sweep to
            dev.lockstep.bench;
    exports dev.lockstep.dataset to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.sql;
    exports dev.lockstep.fleet to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.sql;
    exports dev.lockstep.inference to
            dev.lockstep.compat;
    exports dev.lockstep.iterations to
            dev.lockstep.cli;
    exports dev.lockstep.path to
            dev.lockstep.bench,
            dev.lockstep.cli;
    exports dev.lockstep.perfmodel to
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.goal;
    exports dev.lockstep.reporting to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.goal,
            dev.lockstep.publish,
            dev.lockstep.replay,
            dev.lockstep.sql;
    exports dev.lockstep.runs to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.publish;
    exports dev.lockstep.straggler to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.sweep to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.sweep.gemm to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.sweep.merge to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.sweep.summary to
            dev.lockstep.cli,
            dev.lockstep.compat;

    uses dev.lockstep.tabular.SheetFormat;
}
