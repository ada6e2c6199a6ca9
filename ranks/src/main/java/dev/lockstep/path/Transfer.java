// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

/**
 * A collective over several ranks, in a graph.
 *
 * @param met the vertex when its last member has begun
 * @param kind what it does, as sheets spell it
 * @param group name of the process group, empty when not recorded
 * @param bytes size as nccl-tests counts it, -1 when unknown
 * @param busFactor share of it that crosses a link
 */
record Transfer(int met, String kind, String group, long bytes, double busFactor) {}
