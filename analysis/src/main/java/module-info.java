// SPDX-License-Identifier: Apache-2.0
/**
 * Analyses of one rank, of all ranks of a run, of two runs and of sweeps; merged timelines; the reports that are made of them.
 */
module dev.lockstep.analysis {
    requires transitive dev.lockstep.trace;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep;
    exports dev.lockstep.analyze;
    exports dev.lockstep.analyze.comm;
    exports dev.lockstep.analyze.compare;
    exports dev.lockstep.analyze.gemm;
    exports dev.lockstep.analyze.time;
    exports dev.lockstep.analyze.work;
    exports dev.lockstep.compare;
    exports dev.lockstep.compare.configurations;
    exports dev.lockstep.compare.reports;
    exports dev.lockstep.compare.sheets;
    exports dev.lockstep.inference;
    exports dev.lockstep.iterations;
    exports dev.lockstep.merge;
    exports dev.lockstep.perfmodel;
    exports dev.lockstep.reporting;
    exports dev.lockstep.runs;
    exports dev.lockstep.sweep;
    exports dev.lockstep.sweep.gemm;
    exports dev.lockstep.sweep.merge;
    exports dev.lockstep.sweep.summary;

    uses dev.lockstep.tabular.SheetFormat;
}
