// SPDX-License-Identifier: Apache-2.0
/**
 * How reports say things: numbers with their unit ({@link dev.lockstep.words.Words}), names that a compiler mangled
 * ({@link dev.lockstep.words.ShownNames}), and what is too little to be told ({@link dev.lockstep.words.Notable}).
 */
@NullMarked
package dev.lockstep.words;

import org.jspecify.annotations.NullMarked;
