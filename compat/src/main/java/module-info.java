// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for other tools, each in a package of its own: their definitions, sheets, files and layouts.
 */
module dev.lockstep.compat {
    requires transitive dev.lockstep.aiu;
    requires transitive dev.lockstep.goal;
    requires transitive dev.lockstep.publish;
    requires transitive dev.lockstep.replay;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.lockstep.compat.acelyzer;
    exports dev.lockstep.compat.aorta;
    exports dev.lockstep.compat.aorta.config;
    exports dev.lockstep.compat.aorta.run;
    exports dev.lockstep.compat.goal;
    exports dev.lockstep.compat.piep;
    exports dev.lockstep.compat.tracelens;
    exports dev.lockstep.compat.tracelens.diff;

    provides dev.lockstep.dialect.Dialect with
            dev.lockstep.compat.acelyzer.Acelyzer,
            dev.lockstep.compat.aorta.run.Aorta,
            dev.lockstep.compat.goal.Atlahs,
            dev.lockstep.compat.piep.Piep,
            dev.lockstep.compat.tracelens.TraceLens;
}
