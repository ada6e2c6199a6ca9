// SPDX-License-Identifier: Apache-2.0
/**
 * Readers: the contract, and the file as readers see it. Each format has a package of its own with one public class.
 * Readers state facts; linking, nesting and matching are derivations. Start at {@link dev.lockstep.read.TraceReader}.
 */
@NullMarked
package dev.lockstep.read;

import org.jspecify.annotations.NullMarked;
