// SPDX-License-Identifier: Apache-2.0
/**
 * How collectives are carried out: one class for each algorithm, which takes the part of one channel on one rank apart
 * into primitives; and algorithms that files state, see {@link dev.lockstep.goal.algorithm.AlgorithmFiles}. Start at {@link dev.lockstep.goal.algorithm.CollectiveAlgorithm}; {@link
 * dev.lockstep.goal.algorithm.Algorithms} lists them.
 */
@NullMarked
package dev.lockstep.goal.algorithm;

import org.jspecify.annotations.NullMarked;
