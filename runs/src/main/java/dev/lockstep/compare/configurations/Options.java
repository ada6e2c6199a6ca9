// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.Averaging;

/**
 * How configurations are compared.
 *
 * @param averaging how ranks become one number
 * @param threshold changes up to so many percent of the baseline count as none
 */
public record Options(Averaging averaging, double threshold) {
    /** What counts as a change unless said otherwise, in percent. */
    public static final double USUAL_THRESHOLD = 1;
}
