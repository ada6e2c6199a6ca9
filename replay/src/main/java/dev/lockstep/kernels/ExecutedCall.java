// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;

/**
 * A call of an execution trace that does work: an operator, or what one launched.
 *
 * @param device as recorded with tensors, as in {@code cuda:0}; empty when unknown
 * @param stream empty when unknown
 * @param node place of the operator's node, or -1
 * @param launchNs when it was launched, -1 when not known
 * @param ns how long it ran, -1 for operators
 */
record ExecutedCall(
        KernelIdentity identity,
        KernelClass use,
        String category,
        Tier tier,
        String device,
        String stream,
        int node,
        long launchNs,
        long ns) {}
