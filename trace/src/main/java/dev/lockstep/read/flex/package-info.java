// SPDX-License-Identifier: Apache-2.0
/**
 * Reads traces of IBM's AIU: FLEX events, as the runtime wrote them or as {@code lockstep aiu} processed them
 * ({@code docs/reference/formats/flex.md}). Start at {@link dev.lockstep.read.flex.FlexReader}.
 */
@NullMarked
package dev.lockstep.read.flex;

import org.jspecify.annotations.NullMarked;
