// SPDX-License-Identifier: Apache-2.0
/**
 * The gate of continuous integration: {@link dev.lockstep.cli.gate.Judgement} compares figures of runs,
 * {@link dev.lockstep.cli.gate.GateCommand} reads them and writes what came of it.
 */
@NullMarked
package dev.lockstep.cli.gate;

import org.jspecify.annotations.NullMarked;
