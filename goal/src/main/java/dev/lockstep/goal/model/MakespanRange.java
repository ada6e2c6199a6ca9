// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * How far the makespan of a simulation depends on the numbers of the ranks: they decide what comes first of what happens at the
 * same time.
 *
 * @param orders how many other numberings were tried
 * @param leastNs the shortest makespan among them
 * @param mostNs the longest
 */
public record MakespanRange(int orders, long leastNs, long mostNs) {}
