// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

/** What one record of the Inspector says of an operation on one rank. One object serves all records of a file. */
final class InspectorRecord {
    /** Hash of the communicator; empty where nothing has said it yet. */
    String communicator = "";

    String name = "";
    int rank = -1;
    int ranks;
    int nodes;
    String host = "";
    long process;

    /** When the record was written, in µs since 1970; -1 where that is not known. */
    long writtenUs = -1;

    /** {@code AllReduce}, {@code Send}; empty of a record without an operation. */
    String operation = "";

    String algorithm = "";
    String protocol = "";
    boolean message;

    /** Rank within the communicator of the other end of a message. */
    int peer = -1;

    long sequence;
    long bytes;
    long nanos;

    /** GB/s. */
    double busBandwidth;

    /** When the host called, in µs since 1970; -1 where that is not known. */
    long calledUs = -1;

    /** Records that the rank has lost so far, by its own count; 0 where it does not count. */
    long dropped;

    /** Forgets the operation; who speaks is kept, since some versions say it once for many operations. */
    void next() {
        operation = "";
        algorithm = "";
        protocol = "";
        message = false;
        peer = -1;
        sequence = 0;
        bytes = 0;
        nanos = 0;
        busBandwidth = 0;
        calledUs = -1;
        dropped = 0;
    }

    /** Whether bandwidth and place are known. */
    boolean isUsable() {
        return !operation.isEmpty()
                && !communicator.isEmpty()
                && rank >= 0
                && rank < ranks
                && nanos > 0
                && bytes > 0
                && (!message || peer >= 0 && peer < ranks);
    }
}
