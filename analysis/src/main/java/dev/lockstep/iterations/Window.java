// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.model.IterationAnnotation;
import dev.lockstep.model.IterationAnnotation.Phase;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One iteration, with the time on the host that it is responsible for.
 *
 * @param name of the annotation; what was found where there is none
 * @param start first moment in ns
 * @param end first moment behind it: the start of the next iteration, so that nothing between two is lost
 * @param hostEnd where the iteration itself ends
 * @param annotation what its name says about the batch, null when nothing
 */
public record Window(
        String name,
        long start,
        long end,
        long hostEnd,
        @Nullable IterationAnnotation annotation) {
    /** Requests in the batch; 0 when unknown. */
    public long requests() {
        return annotation == null ? 0 : annotation.requests();
    }

    /** Whether the iteration reads prompts. */
    public boolean hasPrefill() {
        return annotation != null && annotation.context().requests() > 0;
    }

    /** Whether the iteration produces tokens and reads no prompts. */
    public boolean isDecodeOnly() {
        return annotation != null && annotation.phase() == Phase.DECODE;
    }

    /** {@code prefill}, {@code decode}, {@code mixed}, {@code diffusion}, {@code idle}; empty when unknown. */
    public String phase() {
        return annotation == null ? "" : annotation.phase().name().toLowerCase(Locale.ROOT);
    }
}
