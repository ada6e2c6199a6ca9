// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for acelyzer, IBM's AIU Trace Analyzer, as of version 1.2: what its pipeline decides differently. Start at
 * {@link dev.lockstep.compat.acelyzer.AcelyzerRules}.
 */
@NullMarked
package dev.lockstep.compat.acelyzer;

import org.jspecify.annotations.NullMarked;
