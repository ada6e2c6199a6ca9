// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

/**
 * A collective that ranks carried out together.
 *
 * @param key what it is matched by
 * @param latency shortest kernel among its ranks, µs
 * @param skew from the first to the last start, µs; NaN when unknown
 * @param bytes size as bandwidths count it; NaN when unknown
 * @param busFactor what part of the size crosses a link; NaN when unknown
 */
public record CollectiveInstance(CallKey key, double latency, double skew, double bytes, double busFactor) {}
