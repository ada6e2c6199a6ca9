// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for the scripts of the AORTA pipeline: what they write, with their names, orders and quirks. Start at
 * {@link dev.lockstep.compat.aorta.AortaMerge}.
 */
@NullMarked
package dev.lockstep.compat.aorta;

import org.jspecify.annotations.NullMarked;
