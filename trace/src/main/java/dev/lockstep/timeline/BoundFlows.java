// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

/**
 * Which slices the ends of arrows touch. By row of the trace's flows, in parallel arrays.
 *
 * @param arrow number of the arrow that the end belongs to, from 0 in order of the arrows' starts; -1 for an end that is
 *     not shown because its arrow lacks a start, an end, or a slice at one of them
 * @param id number of the arrow in a file, unique within its category and name; of no meaning where {@code arrow} is -1
 * @param slice the slice that the end touches, -1 where {@code arrow} is -1
 * @param order rows that are shown: arrow by arrow, each from its start to its end
 */
@SuppressWarnings("ArrayRecordComponent") // large, and handed from one owner to the next
public record BoundFlows(int[] arrow, long[] id, int[] slice, int[] order) {}
