// SPDX-License-Identifier: Apache-2.0
/**
 * How AORTA compares configurations: its summaries over ranks, its combined and compared sheets, signs, thresholds and
 * roundings. What it gets wrong is wrong here too; {@code compare.reports} is what does it right. Start at
 * {@link dev.lockstep.compat.aorta.config.GpuTimelineSummary}.
 */
@NullMarked
package dev.lockstep.compat.aorta.config;

import org.jspecify.annotations.NullMarked;
