// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that are the same.
 *
 * @param number from 1 on, in the order of the list
 * @param identity what they have in common
 * @param use what they are for
 * @param category what kind of kernel it is, by its name
 * @param tier which library can do its work again
 * @param calls how often it ran
 * @param steps calls by step, null when there are no steps
 * @param durations null when no times are known
 * @param places where it ran, in order of device and stream
 */
public record UniqueKernel(
        int number,
        KernelIdentity identity,
        KernelClass use,
        String category,
        Tier tier,
        long calls,
        @Nullable StepCalls steps,
        @Nullable Durations durations,
        List<Place> places) {
    public UniqueKernel {
        places = List.copyOf(places);
    }

    /**
     * @param mean calls in steps over the number of steps
     * @param least calls in the step with the fewest
     * @param most calls in the step with most
     */
    public record StepCalls(double mean, long least, long most) {}

    /**
     * Where it ran.
     *
     * @param device number or text, empty when unknown
     * @param stream number or text, empty when unknown
     * @param ns sum of durations there, -1 when unknown
     */
    public record Place(String device, String stream, long calls, long ns) {}

    /** Number of devices it ran on. */
    public long devices() {
        return places.stream().map(Place::device).distinct().count();
    }

    UniqueKernel numbered(int place) {
        return new UniqueKernel(place, identity, use, category, tier, calls, steps, durations, places);
    }
}
