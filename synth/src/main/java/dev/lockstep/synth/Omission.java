// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** Something a recorder may leave out of a trace, and that readers must live without. */
public enum Omission {
    /** No {@code distributedInfo}: the rank is known from the path at best. */
    DISTRIBUTED_INFO,
    /** Collectives without name, group, sizes and sequence number, as older recorders wrote them. */
    COLLECTIVE_METADATA,
    /** No shapes, types and strides of op inputs ({@code record_shapes=False}). */
    SHAPES,
    /** No {@code ProfilerStep#N}. */
    STEPS,
    /** No {@code ac2g} and {@code fwdbwd} flow events. */
    FLOWS,
    /** Process groups without a description of what they are for. */
    GROUP_DESCRIPTIONS,
    /** No {@code deviceProperties}. */
    DEVICE_PROPERTIES,
    /** No {@code baseTimeNanoseconds}: times count from 1970. */
    BASE_TIME
}
