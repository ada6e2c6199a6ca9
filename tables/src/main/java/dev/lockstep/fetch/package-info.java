// SPDX-License-Identifier: Apache-2.0
/**
 * Libraries that are no part of the program: fetched when first needed, and opened only when they are the files that were meant.
 * Start at {@link dev.lockstep.fetch.FetchedLibraries}.
 */
@NullMarked
package dev.lockstep.fetch;

import org.jspecify.annotations.NullMarked;
