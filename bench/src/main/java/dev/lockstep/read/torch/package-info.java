// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of what only the reader itself sees. */
@NullMarked
package dev.lockstep.read.torch;

import org.jspecify.annotations.NullMarked;
