// SPDX-License-Identifier: Apache-2.0
/**
 * The process that runs operators, because native code may fault or take all memory. {@link
 * dev.lockstep.libtorch.worker.Worker} reads operators, a line each, and answers with what came of them. Nothing outside
 * this package touches libtorch.
 */
@NullMarked
package dev.lockstep.libtorch.worker;

import org.jspecify.annotations.NullMarked;
