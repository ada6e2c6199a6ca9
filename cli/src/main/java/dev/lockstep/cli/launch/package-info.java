/**
 * Starting training under many settings. {@link dev.lockstep.cli.launch.SweepPlan} says what will be started, and is all
 * that a dry run needs; {@link dev.lockstep.cli.launch.SweepRunner} does it, one run after the other;
 * {@link dev.lockstep.cli.launch.RunProcesses} holds the processes of one run and ends them, and no others;
 * {@link dev.lockstep.cli.launch.RunManifest} is what is left to know about a run.
 */
@NullMarked
package dev.lockstep.cli.launch;

import org.jspecify.annotations.NullMarked;
