// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

/**
 * A slice through which a path leads: an activity of a device, or a call of the host. Times are on the clock of the rank's trace.
 *
 * @param window number of the window whose path it is
 * @param rank place of its rank among those that were joined
 * @param event place of its event in the rank's file
 * @param start when it begins, in ns
 * @param onPath for how long the path is in it, in ns
 */
public record PathStop(int window, int rank, int event, long start, long onPath) {}
