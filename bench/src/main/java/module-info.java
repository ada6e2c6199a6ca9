// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks; never published.
 */
module dev.lockstep.bench {
    requires dev.lockstep.goal;
    requires dev.lockstep.replay;
    requires dev.lockstep.sql;
    requires dev.lockstep.synth;
    requires static org.jspecify;
    requires jdk.jfr;
    requires jdk.management;
    requires jmh.core;
}
