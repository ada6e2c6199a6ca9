// SPDX-License-Identifier: Apache-2.0
/**
 * Reasons not to believe the trace of a rank. Start with {@link dev.lockstep.analyze.trust.TraceTrust}, where each of them is registered.
 */
@NullMarked
package dev.lockstep.analyze.trust;

import org.jspecify.annotations.NullMarked;
