// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for other tools, each in a package of its own: their definitions, sheets, files and layouts.
 */
module dev.lockstep.compat {
    requires transitive dev.lockstep.aiu;
    requires transitive dev.lockstep.explain;
    requires transitive dev.lockstep.goal;
    requires transitive dev.lockstep.publish;
    requires transitive dev.lockstep.replay;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    provides dev.lockstep.dialect.Dialect with
            dev.lockstep.compat.acelyzer.Acelyzer,
            dev.lockstep.compat.aorta.run.Aorta,
            dev.lockstep.compat.goal.Atlahs,
            dev.lockstep.compat.hta.Hta,
            dev.lockstep.compat.piep.Piep,
            dev.lockstep.compat.tracelens.TraceLens,
            dev.lockstep.compat.wia.WhatIfAnalysis;
}
