// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

/** What a clock asks of a device, which does what is queued in order. Confined to one thread. */
interface DeviceQueue {
    /** Waits until the device has done everything. */
    void synchronize();

    /** Queues something that keeps the device busy for about so long, without memory. Not where {@link #spins} is false. */
    void spin(long ns);

    /** Whether that can be done. */
    boolean spins();

    /** Queues the beginning of what is timed. */
    void begin();

    /** Queues its end. */
    void end();

    /** Whether the device has come to the beginning. */
    boolean hasBegun();

    /** Waits for the end; time from the beginning until then, in ns. */
    long elapsed();
}
