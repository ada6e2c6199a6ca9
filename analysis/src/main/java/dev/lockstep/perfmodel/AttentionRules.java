// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/**
 * Conventions about attention.
 *
 * @param elementSize whether bytes count elements of the recorded type, else of two bytes
 * @param precision whether the precision is always that of the queries, else that of the first argument, and only where
 *     types are among the parameters
 * @param unequalLengths whether a mask over queries and keys of different lengths is understood
 */
public record AttentionRules(boolean elementSize, boolean precision, boolean unequalLengths) {}
