// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * What one phase of a serving iteration had to do, added up over its requests: of a request, {@code q} query tokens look
 * at {@code k} tokens of context, their own included.
 *
 * @param requests number of requests
 * @param q sum of q: the tokens that were computed
 * @param k sum of k
 * @param qq sum of q * q
 * @param qk sum of q * k
 */
public record TokenCounts(long requests, long q, long k, long qq, long qk) {
    /** No requests. */
    public static final TokenCounts NONE = new TokenCounts(0, 0, 0, 0, 0);

    /** Requests and tokens, when nothing is known of the context. */
    static TokenCounts of(long requests, long tokens) {
        return new TokenCounts(requests, tokens, 0, 0, 0);
    }
}
