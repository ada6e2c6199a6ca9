// SPDX-License-Identifier: Apache-2.0
/**
 * What the ranks of a run have to do with one another: collectives, the graph of dependencies, stragglers, fleets, merged
 * timelines, datasets. What other modules of the program build on is open to them alone.
 */
module dev.lockstep.ranks {
    requires transitive dev.lockstep.analysis;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.merge;
    exports dev.lockstep.actions to
            dev.lockstep.cli,
            dev.lockstep.explain;
    exports dev.lockstep.analyze.comm to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.runs,
            dev.lockstep.sql;
    exports dev.lockstep.clocks to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.runs;
    exports dev.lockstep.dataset to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.sql;
    exports dev.lockstep.fleet to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.sql;
    exports dev.lockstep.path to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.goal,
            dev.lockstep.runs;
    exports dev.lockstep.ranks.trust to
            dev.lockstep.cli,
            dev.lockstep.explain,
            dev.lockstep.spark;
    exports dev.lockstep.ranks to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.explain,
            dev.lockstep.runs;
    exports dev.lockstep.straggler to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat;
}
