// SPDX-License-Identifier: Apache-2.0
/**
 * Other tools whose files the program can write instead of its own. Start at {@link dev.lockstep.dialect.Dialect}.
 */
@NullMarked
package dev.lockstep.dialect;

import org.jspecify.annotations.NullMarked;
