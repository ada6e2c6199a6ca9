// SPDX-License-Identifier: Apache-2.0
/**
 * Runs side by side: how they lie on the disk, what is told apart, comparisons and sweeps. Open to modules of the program
 * alone.
 */
module dev.lockstep.runs {
    requires transitive dev.lockstep.ranks;
    requires static transitive org.jspecify;

    exports dev.lockstep.analyze.compare to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain;
    exports dev.lockstep.compare to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.publish;
    exports dev.lockstep.compare.configurations to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain;
    exports dev.lockstep.compare.reports to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain;
    exports dev.lockstep.compare.sheets to
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.publish;
    exports dev.lockstep.compare.sweep to
            dev.lockstep.bench;
    exports dev.lockstep.runs to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.publish,
            dev.lockstep.sql;
    exports dev.lockstep.sweep to
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain;
    exports dev.lockstep.sweep.gemm to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.sweep.merge to
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain;
    exports dev.lockstep.sweep.summary to
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain;

    uses dev.lockstep.tabular.SheetFormat;
}
