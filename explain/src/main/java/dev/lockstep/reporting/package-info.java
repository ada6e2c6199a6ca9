// SPDX-License-Identifier: Apache-2.0
/**
 * The program's own reports: which analyses each is made of, what they show, and what is found in them in words. Start at
 * {@link dev.lockstep.reporting.PerformanceReport} and {@link dev.lockstep.reporting.CollectiveReport}.
 */
@NullMarked
package dev.lockstep.reporting;

import org.jspecify.annotations.NullMarked;
