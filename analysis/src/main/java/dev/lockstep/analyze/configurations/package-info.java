// SPDX-License-Identifier: Apache-2.0
/**
 * Configurations side by side, from the finished reports of their ranks: what got slower or faster, by how much, how sure that
 * is, and what it is made of. Differences are always the configuration minus the baseline. Start at
 * {@link dev.lockstep.analyze.configurations.ConfigurationComparison}.
 */
@NullMarked
package dev.lockstep.analyze.configurations;

import org.jspecify.annotations.NullMarked;
