// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import java.io.IOException;

/**
 * What a channel can do, the library's primitives. Peers are ranks of the communicator, sizes are bytes of data. Without
 * blocks, everything runs side by side: order comes from data alone.
 */
public interface Primitives {
    /** Sends data that the rank has. */
    void send(int to, long bytes) throws IOException;

    /** Copies data of the rank and sends it. */
    void copySend(int to, long bytes) throws IOException;

    /** Receives data to where it belongs. */
    void recv(int from, long bytes) throws IOException;

    /** Receives data, adds its own, and sends the sum. */
    void recvReduceSend(int from, int to, long bytes) throws IOException;

    /** Receives data, adds its own, keeps the sum and sends it. */
    void recvReduceCopySend(int from, int to, long bytes) throws IOException;

    /** Receives data, keeps it and sends it. */
    void recvCopySend(int from, int to, long bytes) throws IOException;

    /** Receives data and adds it to its own. */
    void recvReduce(int from, long bytes) throws IOException;

    /** Receives data, adds its own, and keeps the sum. */
    void recvReduceCopy(int from, long bytes) throws IOException;

    /** Receives data and copies it to where it belongs. */
    void recvCopy(int from, long bytes) throws IOException;

    /** Copies data of the rank to where others can get at it, or from there. */
    void copy(long bytes) throws IOException;

    /**
     * Fetches the sum of what ranks of its node send: the node's switch adds, so that the data comes once.
     *
     * @param from the others that send, besides this rank itself
     */
    void fetchSum(int[] from, long bytes) throws IOException;

    /**
     * Sends data to ranks of its node at once: the node's switch multiplies it, so that it leaves once.
     *
     * @param to the others that receive, besides this rank itself
     */
    void multicast(int[] to, long bytes) throws IOException;

    /**
     * States which of the channel's groups of warps carries out what follows; groups work side by side.
     *
     * @param group less than the algorithm's number of workers; 0 until something else is said
     */
    void worker(int group);

    /** States the largest slice of what follows on this channel, where that is not what the plan says. */
    void largestSlice(long bytes);

    /** Opens a block whose parts come one after the other. */
    void sequence() throws IOException;

    /** Opens a block whose parts run side by side. */
    void parallel() throws IOException;

    /** Closes the innermost block. */
    void close() throws IOException;
}
