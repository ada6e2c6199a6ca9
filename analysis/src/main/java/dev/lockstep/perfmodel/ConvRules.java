// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/**
 * Conventions about convolutions.
 *
 * @param bias whether a bias counts where one was passed, else where exactly three arguments were recorded
 * @param mask whether the backward counts the gradients that were asked for, else all of them
 * @param groups whether a transposed convolution has its output channels in each group
 * @param biasBytes whether the bias of the backward counts its bytes, else its elements
 * @param withoutValues whether a convolution whose stride, padding and mask were not recorded is judged by the shape of its
 *     result and the kernels of its backward, else not at all
 * @param fusedBackwardBytes whether the backward of a convolution fused with its bias moves the bytes of a backward, else
 *     those of the forward
 */
public record ConvRules(
        boolean bias,
        boolean mask,
        boolean groups,
        boolean biasBytes,
        boolean withoutValues,
        boolean fusedBackwardBytes) {}
