// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * One thing that every rank does in a step. Device times that later instructions refer to are kept in numbered slots of
 * the rank.
 */
sealed interface Instruction {

    record Run(HostAction action) implements Instruction {}

    /** What ranks do behind a layer that read a value there, which waits for the device. */
    record Read(HostAction action, int layer) implements Instruction {}

    /** Begins an annotation or a Python frame on the current thread. */
    record Open(EventKind kind) implements Instruction {}

    /** Ends what was opened last on the current thread. */
    record Close() implements Instruction {}

    /** Continues on the autograd thread while the main thread waits, or back on the main thread. */
    record OnThread(boolean autograd) implements Instruction {}

    /** Notes when the compute stream will have finished what it was given. */
    record Mark(int slot) implements Instruction {}

    /** Lets the compute stream wait until the noted time. */
    record Await(int slot) implements Instruction {}

    /** A collective of all ranks that starts after the time noted in {@code after}; notes its end in {@code done}. */
    record Communicate(StepCollective collective, int after, int done) implements Instruction {}

    /** Forward ops leave their numbers with this part of the step's work from now on, backward nodes take them from it. */
    record Batch(int part) implements Instruction {}

    /** A pass of a micro-batch begins, or ends. */
    record Passing(PipelineOrder.Work work, boolean begins) implements Instruction {}

    /** The slot that nobody writes: nothing to wait for. */
    int NOTHING = 0;
}
