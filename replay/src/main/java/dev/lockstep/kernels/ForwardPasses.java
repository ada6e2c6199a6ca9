// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How often the model ran while kernels were recorded, and how that is known.
 *
 * <p>Where steps are marked or inferred, that is the number. Else it is told from counts: what
 * runs once in each pass of the model has run as often as the model, what runs in each layer a multiple of it. Candidates
 * are the counts that at least three kernel names of a device share; {@code support} is the share of names whose count is a multiple
 * of the candidate. By chance, it would be {@code 1/n}; the candidate with the largest support beyond chance is taken, if
 * it goes at least {@value #LEAST_EXCESS} beyond. A layer that repeats within one pass would pass for a model, so that counts
 * are asked only of lists without times.
 *
 * @param count number of passes, at least 1
 * @param source how it is known
 * @param support share of names whose counts are multiples, NaN unless told from counts
 */
public record ForwardPasses(int count, Source source, double support) {
    private static final double LEAST_EXCESS = 0.1;
    private static final int FEWEST_NAMES = 3;
    /** How the number is known. */
    public enum Source {
        /** The user said so. */
        GIVEN("given"),
        /** Annotations mark steps. */
        ANNOTATION("annotations"),
        /** Nothing marks steps, but the recording shows them. */
        SEQUENCE("inferred steps"),
        /** Counts of kernels are multiples of it. */
        COUNTS("counts of kernels");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /**
     * Tells the number from counts.
     *
     * @param calls by kernel name
     * @return empty when no number stands out
     */
    public static Optional<ForwardPasses> fromCounts(Map<String, Long> calls) {
        Map<Long, Integer> names = new TreeMap<>();
        calls.values().forEach(count -> names.merge(count, 1, Integer::sum));
        @Nullable ForwardPasses best = null;
        double most = LEAST_EXCESS;
        for (Map.Entry<Long, Integer> candidate : names.entrySet()) {
            long count = candidate.getKey();
            if (count < 2 || count > Integer.MAX_VALUE || candidate.getValue() < FEWEST_NAMES) {
                continue;
            }
            long multiples = calls.values().stream().filter(c -> c % count == 0).count();
            double support = (double) multiples / calls.size();
            double excess = support - 1.0 / count;
            if (excess > most) {
                most = excess;
                best = new ForwardPasses((int) count, Source.COUNTS, support);
            }
        }
        return Optional.ofNullable(best);
    }

    /** Calls by device and name: devices that share the work run the model together. */
    static Map<String, Long> byName(Iterable<UniqueKernel> kernels) {
        Map<String, Long> calls = new HashMap<>();
        for (UniqueKernel kernel : kernels) {
            for (UniqueKernel.Place place : kernel.places()) {
                calls.merge(place.device() + '\0' + kernel.identity().name(), place.calls(), Long::sum);
            }
        }
        return calls;
    }
}
