// SPDX-License-Identifier: Apache-2.0
/**
 * Figures of reports that other systems watch: {@link dev.lockstep.publish.metrics.MetricRegistry} says in which cells they stand,
 * writers hand them on.
 */
@NullMarked
package dev.lockstep.publish.metrics;

import org.jspecify.annotations.NullMarked;
