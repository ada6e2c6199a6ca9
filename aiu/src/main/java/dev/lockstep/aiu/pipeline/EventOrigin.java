// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/** Who wrote a trace, which decides what its names and categories mean. */
public enum EventOrigin {
    /** The FLEX runtime: what runs on the device has cycle counters. */
    FLEX,
    /** The torch profiler: categories tell what an event is. */
    TORCH
}
