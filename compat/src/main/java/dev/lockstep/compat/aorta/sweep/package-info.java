// SPDX-License-Identifier: Apache-2.0
/**
 * What AORTA's scripts make of the reports of a sweep over thread and channel counts: the tables that join all
 * configurations, with their columns, orders and quirks. Start at {@link dev.lockstep.compat.aorta.sweep.AllTimelines}.
 */
@NullMarked
package dev.lockstep.compat.aorta.sweep;

import org.jspecify.annotations.NullMarked;
