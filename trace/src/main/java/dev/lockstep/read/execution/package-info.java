// SPDX-License-Identifier: Apache-2.0
/**
 * Execution traces of PyTorch: the operators of a run with their arguments, without times unless a tool linked them with
 * a trace of the device. They are no traces of the profiler; {@link dev.lockstep.read.execution.ExecutionTraceReader} is
 * asked for them by those who can do with that.
 */
@NullMarked
package dev.lockstep.read.execution;

import org.jspecify.annotations.NullMarked;
