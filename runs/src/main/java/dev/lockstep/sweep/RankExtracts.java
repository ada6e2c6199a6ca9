// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was taken from the trace of a rank. */
public final class RankExtracts {
    private final int rank;
    private final Map<Extract<?>, Object> results;

    private RankExtracts(int rank, Map<Extract<?>, Object> results) {
        this.rank = rank;
        this.results = results;
    }

    static RankExtracts from(RankTrace trace, List<Extract<?>> extracts) throws IOException {
        Map<Extract<?>, Object> results = new HashMap<>();
        try {
            for (Extract<?> extract : extracts) {
                results.put(extract, extract.take(trace));
            }
        } catch (IOException | RuntimeException e) {
            new RankExtracts(trace.rank(), results).discard();
            throw e;
        }
        return new RankExtracts(trace.rank(), results);
    }

    /** The rank that the trace was taken for. */
    int rank() {
        return rank;
    }

    /** What this extract took, which must be one of those that were asked. */
    @SuppressWarnings("unchecked")
    public <T> T of(Extract<T> extract) {
        Object result = results.get(extract);
        if (result == null) {
            throw new IllegalArgumentException("this was not asked of the traces: " + extract);
        }
        return (T) result;
    }

    void discard() {
        results.forEach(RankExtracts::discard);
    }

    @SuppressWarnings("unchecked")
    private static <T> void discard(Extract<T> extract, Object taken) {
        extract.discard((T) taken);
    }
}
