// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

/**
 * How long a device is kept busy before each call of one operator, so that the call is queued as a whole before the device
 * comes to it: the time between two events around it then holds nothing of the launch on the host. An operator that waits
 * for the device cannot be queued; it is left alone.
 */
final class QueuedWork {
    /** Calls take longer now and then. */
    private static final int SPARE = 4;

    private static final long LEAST_NS = 50_000;
    private static final long MOST_NS = 20_000_000;

    private boolean wanted;
    private boolean waits;
    private long host = Long.MAX_VALUE;
    private long queued;

    /** From now on, or from now on not: while operators warm up, and where power is measured, nothing is queued. */
    void want(boolean queueing) {
        wanted = queueing;
    }

    /** How long the device is to be busy before the next call; 0 for nothing. */
    long ns() {
        return wanted && !waits && host < Long.MAX_VALUE ? Math.clamp(SPARE * host, LEAST_NS, MOST_NS) : 0;
    }

    /**
     * Takes note of a call.
     *
     * @param hostNs how long it took on the host
     * @param busyNs how long the device was kept busy before it
     * @param behind whether it was queued as a whole before the device came to it
     */
    void called(long hostNs, long busyNs, boolean behind) {
        queued += behind ? 1 : 0;
        waits |= busyNs > 0 && !behind && hostNs >= busyNs;
        if (busyNs == 0 || behind) {
            host = Math.min(host, hostNs);
        }
    }

    /** Calls that were queued as a whole. */
    long queued() {
        return queued;
    }
}
