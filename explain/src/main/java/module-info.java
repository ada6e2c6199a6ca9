// SPDX-License-Identifier: Apache-2.0
/**
 * The way in for other programs, and the reports that are made of all analyses: what they show, and what is found in words.
 * What other modules of the program build on is open to them alone.
 */
module dev.lockstep.explain {
    requires transitive dev.lockstep.runs;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep;
    exports dev.lockstep.reporting to
            dev.lockstep.bench,
            dev.lockstep.cli,
            dev.lockstep.compat,
            dev.lockstep.sql;
}
