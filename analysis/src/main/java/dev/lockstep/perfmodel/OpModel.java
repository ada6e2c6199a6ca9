// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import org.jspecify.annotations.Nullable;

/** Knows the work of the operators of one name or one way of passing arguments. Immutable; keeps nothing of a call. */
public interface OpModel {
    /** The family, which is the stem of the name of its sheet: {@code GEMM}, {@code SDPA}, {@code UnaryElementwise}. */
    String family();

    /** The category of the call itself: {@code SDPA_fwd}. */
    String category();

    /** The category of the backward pass of a call; null when a call has no backward pass with figures of its own. */
    @Nullable
    String backwardCategory();

    /** Whether the call has what the model needs. Names alone decide for most models. */
    default boolean accepts(OpCall call) {
        return true;
    }

    /** Whether the annotation around a call bears on its work. */
    default boolean readsAnnotation() {
        return false;
    }

    /** Whether the shapes of a call's results bear on what is known of its work. */
    default boolean readsResults() {
        return false;
    }

    /**
     * The work of the call.
     *
     * @throws NotModelled if the arguments do not tell
     */
    Work forward(OpCall call) throws NotModelled;

    /**
     * The work of the backward pass that follows from this forward call.
     *
     * @throws NotModelled if the arguments do not tell, or there are no formulas
     */
    Work backward(OpCall call) throws NotModelled;
}
