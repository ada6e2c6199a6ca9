// SPDX-License-Identifier: Apache-2.0
/**
 * The program: commands, progress, launching of training, sampling of power. Nothing is exported.
 */
module dev.lockstep.cli {
    requires dev.lockstep.aiu;
    requires dev.lockstep.analysis;
    requires dev.lockstep.explain;
    requires dev.lockstep.goal;
    requires dev.lockstep.hangs;
    requires dev.lockstep.libtorch;
    requires dev.lockstep.publish;
    requires dev.lockstep.ranks;
    requires dev.lockstep.replay;
    requires dev.lockstep.runs;
    requires dev.lockstep.sql;
    requires dev.lockstep.synth;
    requires dev.lockstep.trace;
    requires static org.jspecify;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires java.management;
    requires java.sql;
    requires jdk.management;
    requires jdk.httpserver;
    requires me.tongfei.progressbar;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires org.yaml.snakeyaml;
}
