// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * What of a makespan each network takes: how much shorter it would be if that network took no time. What one of the two
 * hides behind the other, or behind calculations, is no part of either, so that the parts need not add up to the whole.
 *
 * @param makespanNs the whole
 * @param withoutTransfersNs the makespan if transfers within nodes took no time
 * @param withoutMessagesNs the makespan if messages were under way for no time: L, g and G are 0, also of the empty messages
 *     that announce transfers within nodes
 */
public record NetworkShares(long makespanNs, long withoutTransfersNs, long withoutMessagesNs) {
    /**
     * What transfers within nodes take.
     *
     * @return share of the makespan, 0 to 1
     */
    public double transfers() {
        return share(withoutTransfersNs);
    }

    /**
     * What the network of messages takes.
     *
     * @return share of the makespan, 0 to 1
     */
    public double messages() {
        return share(withoutMessagesNs);
    }

    private double share(long without) {
        return makespanNs == 0 ? 0 : Math.max(0, 1 - (double) without / makespanNs);
    }
}
