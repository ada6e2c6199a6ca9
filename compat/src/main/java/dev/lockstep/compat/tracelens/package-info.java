// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for TraceLens: its definitions, sheets, columns and orders. Every deliberate difference between it and the
 * default is listed in {@code docs/reference/differences.md}. Start at
 * {@link dev.lockstep.compat.tracelens.TraceLensReport}.
 */
@NullMarked
package dev.lockstep.compat.tracelens;

import org.jspecify.annotations.NullMarked;
