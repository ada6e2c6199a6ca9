// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** How regular a synthetic run is. */
public enum Regularity {
    /** Everything varies a little, and collectives take from the kernels beside them. */
    VARIED,
    /** Everything takes its nominal time. */
    EVEN,
    /** What formulas assume: besides, launching, following, waiting and transferring take no time, hosts are far ahead, and
     * stages of a pipeline hold blocks alone. */
    IDEAL
}
