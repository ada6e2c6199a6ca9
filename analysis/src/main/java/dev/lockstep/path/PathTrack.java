// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

/**
 * Where a part of a path lies.
 *
 * @param rank number of the rank
 * @param name of the thread or stream, as people know it
 * @param onDevice whether it is a stream
 */
record PathTrack(int rank, String name, boolean onDevice) {}
