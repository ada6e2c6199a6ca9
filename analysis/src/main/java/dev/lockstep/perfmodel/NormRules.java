// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/**
 * Conventions about normalisations.
 *
 * @param recorded whether weights, biases, flags and masks count as they were recorded, else an argument that has an entry
 *     counts as given and a flag that has a text as set
 * @param cost what they cost
 */
public record NormRules(boolean recorded, NormCost cost) {}
