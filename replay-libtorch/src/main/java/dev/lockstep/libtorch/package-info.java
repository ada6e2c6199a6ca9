// SPDX-License-Identifier: Apache-2.0
/**
 * Runs operators through libtorch in a process of its own. {@link dev.lockstep.libtorch.LibtorchExecutor} starts, watches
 * and restarts that process; {@link dev.lockstep.libtorch.Natives} finds or fetches the libraries it needs.
 */
@NullMarked
package dev.lockstep.libtorch;

import org.jspecify.annotations.NullMarked;
