// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * A way to carry out a collective that schedules can have.
 *
 * @param collective what it carries out, in NCCL's words, as in {@code AllReduce}
 * @param name of the algorithm
 * @param insteadOf the algorithms of NCCL that it is taken for, joined by commas; {@code all} for all of them
 * @param file that states it; empty for those of the program
 */
public record ModelledAlgorithm(String collective, String name, String insteadOf, String file) {}
