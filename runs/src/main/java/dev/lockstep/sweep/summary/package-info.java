// SPDX-License-Identifier: Apache-2.0
/**
 * What is said about a sweep as a whole, and the files that say it: timelines and collectives of all configurations, which is
 * best and why, the page. Works on the reports of configurations, just made or read back. Start at
 * {@link dev.lockstep.sweep.summary.SweepSummary}.
 */
@NullMarked
package dev.lockstep.sweep.summary;

import org.jspecify.annotations.NullMarked;
