// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/**
 * The sizes of an attention.
 *
 * @param width of queries and keys
 * @param valueWidth of values and of what comes out
 */
record AttentionSizes(
        long batch, long queryLength, long queryHeads, long keyLength, long keyHeads, long width, long valueWidth) {
    /** Elements of the queries. */
    double queries() {
        return (double) batch * queryLength * queryHeads * width;
    }

    double keys() {
        return (double) batch * keyLength * keyHeads * width;
    }

    double values() {
        return (double) batch * keyLength * keyHeads * valueWidth;
    }

    double outputs() {
        return (double) batch * queryLength * queryHeads * valueWidth;
    }
}
