// SPDX-License-Identifier: Apache-2.0
/**
 * The ranks of a run, and configurations side by side, from what the reports of their ranks say: what got slower or faster, by how much, how sure that
 * is, and what it is made of. Differences are always the configuration minus the baseline. Start at
 * {@link dev.lockstep.compare.configurations.ConfigurationComparison}.
 */
@NullMarked
package dev.lockstep.compare.configurations;

import org.jspecify.annotations.NullMarked;
