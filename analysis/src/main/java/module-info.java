// SPDX-License-Identifier: Apache-2.0
/**
 * Analyses of one rank: operators and their work, kernels, idle time, memory, hardware; what numbers and names are called.
 * What other modules of the program build on is open to them alone.
 */
module dev.lockstep.analysis {
    requires transitive dev.lockstep.trace;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.options;
    exports dev.lockstep.analyze to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.hangs,
            dev.lockstep.publish,
            dev.lockstep.ranks,
            dev.lockstep.replay,
            dev.lockstep.runs;
    exports dev.lockstep.analyze.gemm to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.runs;
    exports dev.lockstep.analyze.hardware to
            dev.lockstep.explain,
            dev.lockstep.ranks;
    exports dev.lockstep.analyze.memory to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain;
    exports dev.lockstep.analyze.time to
            dev.lockstep.bench,
            dev.lockstep.explain,
            dev.lockstep.ranks,
            dev.lockstep.runs;
    exports dev.lockstep.analyze.trust to
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.ranks,
            dev.lockstep.runs,
            dev.lockstep.spark;
    exports dev.lockstep.analyze.work to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.ranks;
    exports dev.lockstep.inference to
            dev.lockstep.compat,
            dev.lockstep.explain;
    exports dev.lockstep.iterations to
            dev.lockstep.cli,
            dev.lockstep.explain;
    exports dev.lockstep.perfmodel to
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.ranks;
    exports dev.lockstep.words to
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.hangs,
            dev.lockstep.publish,
            dev.lockstep.ranks,
            dev.lockstep.replay,
            dev.lockstep.runs,
            dev.lockstep.sql;
}
