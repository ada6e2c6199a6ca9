// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.report.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parts that were measured alone.
 *
 * @param source where they come from
 * @param parts in the order of the source
 * @param steps steps of the recording, 0 when unknown
 * @param told how the steps are known
 * @param devices what tells the device they ran on: its address on the bus, its UUID; empty when nobody says it
 * @param remarks what is to be said where these parts are compared with a whole
 */
public record MeasuredParts(
        String source,
        List<Part> parts,
        int steps,
        ForwardPasses.Source told,
        List<String> devices,
        List<Finding> remarks) {
    public MeasuredParts {
        parts = List.copyOf(parts);
        devices = List.copyOf(devices);
        remarks = List.copyOf(remarks);
    }

    /** Parts of a recording whose steps are not known. */
    public static MeasuredParts of(String source, List<Part> parts) {
        return new MeasuredParts(source, parts, 0, ForwardPasses.Source.COUNTS, List.of(), List.of());
    }

    /** Calls of a part in one pass. Where those in steps are known, no others count. */
    public double perPass(Part part, int passes) {
        boolean bySteps = steps > 0 && !Double.isNaN(part.callsPerStep());
        return (bySteps ? part.callsPerStep() * steps : part.calls()) / passes;
    }

    /**
     * How many times the whole is in the recording: as given, by steps, else by counts of calls.
     *
     * @param given 0 to find out
     * @return null when that cannot be told
     */
    public @Nullable ForwardPasses forwards(int given) {
        if (given > 0) {
            return new ForwardPasses(given, ForwardPasses.Source.GIVEN, Double.NaN);
        }
        if (steps > 0) {
            return new ForwardPasses(steps, told, Double.NaN);
        }
        Map<String, Long> calls = new HashMap<>();
        parts.forEach(part -> calls.merge(part.name(), part.calls(), Long::sum));
        return ForwardPasses.fromCounts(calls).orElse(null);
    }
}
