// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;

/**
 * Sequences that lie end to end in one tensor. Only their number and the longest are recorded; the others are taken for
 * equally long, which is the least work there can be.
 */
record Sequences(long queries, long keys, double longestQuery, double longestKey) {
    /** The length of each but the longest, of all the queries. */
    double otherQuery(long total) throws NotModelled {
        return other(total, longestQuery, queries);
    }

    double otherKey(long total) throws NotModelled {
        return other(total, longestKey, keys);
    }

    private static double other(long total, double longest, long count) throws NotModelled {
        if (count < 2) {
            throw NotModelled.unreadable("queries and keys have different numbers of sequences");
        }
        return Math.floor((total - longest) / (count - 1));
    }

    List<Parameter> parameters() {
        return List.of(
                new Parameter("num_seqs_q", Value.of(queries)),
                new Parameter("num_seqs_kv", Value.of(keys)),
                new Parameter("max_seqlen_q", Value.of(longestQuery)),
                new Parameter("max_seqlen_kv", Value.of(longestKey)));
    }
}
