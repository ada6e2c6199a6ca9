// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.model.NcclProtocol;

/** What data becomes on the wire. */
public interface WireRules {
    /** Bytes that some bytes of data take with a protocol. */
    long wireBytes(NcclProtocol protocol, long bytes);

    /** Bytes of data that reducing and copying costs time for. */
    long workBytes(NcclProtocol protocol, long bytes);

    /** Whether what a rank sends to itself is a copy, else a message like others. */
    boolean keepsOwn();

    /** Whether data of no bytes is a message, too. */
    boolean sendsEmpty();

    /** The nic of messages between GPUs of one node. */
    int nearNic();

    /** Whether a message between a pair is sent at once, else in chunks. */
    boolean atOnce(long bytes, long chunkBytes);

    /** Nanoseconds that bytes take between GPUs of one node. */
    long insideNode(long bytes);

    /** What really happens: flags are sent as well, and nothing larger than a chunk is sent at once. */
    record Real(long bytesPerMicrosecond, int nearNic) implements WireRules {
        /** NVLink of 150 GB/s in both directions. */
        public static final Real USUAL = new Real(300_000, 0);

        @Override
        public long wireBytes(NcclProtocol protocol, long bytes) {
            return switch (protocol) {
                case LL -> (bytes + 7) / 8 * 16;
                case LL128 -> (bytes + 119) / 120 * 128;
                case SIMPLE -> bytes;
            };
        }

        @Override
        public long workBytes(NcclProtocol protocol, long bytes) {
            return bytes;
        }

        @Override
        public boolean keepsOwn() {
            return true;
        }

        @Override
        public boolean sendsEmpty() {
            return false;
        }

        @Override
        public boolean atOnce(long bytes, long chunkBytes) {
            return chunkBytes <= 0 || bytes <= chunkBytes;
        }

        @Override
        public long insideNode(long bytes) {
            return Math.multiplyHigh(bytes, 1000) != 0
                    ? bytes / bytesPerMicrosecond * 1000
                    : bytes * 1000 / bytesPerMicrosecond;
        }
    }
}
