// SPDX-License-Identifier: Apache-2.0
/** Reasons not to believe the traces of a run. Start with {@link dev.lockstep.ranks.trust.RunTrust}, where each of them is registered. */
@NullMarked
package dev.lockstep.ranks.trust;

import org.jspecify.annotations.NullMarked;
