// SPDX-License-Identifier: Apache-2.0
/**
 * JSON traces of PyTorch's profiler (Kineto) and other traces in Chrome's JSON format. The public format description is
 * Google's "Trace Event Format"; what Kineto adds is described in {@code docs/reference/formats/kineto-json.md}. Start at
 * {@link dev.lockstep.read.torch.TorchTraceReader}; the hot loop is {@code EventParser}.
 */
@NullMarked
package dev.lockstep.read.torch;

import org.jspecify.annotations.NullMarked;
