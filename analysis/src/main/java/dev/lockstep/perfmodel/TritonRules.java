// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/**
 * Conventions about generated kernels.
 *
 * @param types sizes and precisions of the types of their arguments
 * @param unknownMovesNothing whether tensors of unknown types count no bytes, else the bytes are unknown
 * @param outputTwice whether a kernel without reduction writes as many values as it runs over, besides the tensors that it
 *     is passed, of which its output is one
 * @param partsWhole whether a tensor of which a kernel takes a part (a slice, rows of a table) counts whole, else with as
 *     many values as the kernel runs over
 */
public record TritonRules(ElementTypes types, boolean unknownMovesNothing, boolean outputTwice, boolean partsWhole) {
    double size(String type) {
        double size = types.bytes(type);
        return unknownMovesNothing && Double.isNaN(size) ? 0 : size;
    }
}
