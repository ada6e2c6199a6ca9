// SPDX-License-Identifier: Apache-2.0
/**
 * Traces of IBM's AIU accelerators: events of FLEX and torch profiles flow through a chain of stages, which map cycle
 * counters to the host's clock, resolve overlaps, and derive counters, classes and statistics.
 *
 * <p>Times are doubles of microseconds, as the traces have them; counters are cycles.
 */
@NullMarked
package dev.lockstep.aiu;

import org.jspecify.annotations.NullMarked;
