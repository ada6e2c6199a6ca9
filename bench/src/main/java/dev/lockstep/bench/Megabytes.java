// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Beside throughput JMH shows {@code MB}, unpacked text in 10^6 bytes a second, and {@code cores}, how many cores the JVM
 * was busy on, compiler and collector included. MB divided by cores is the rate a core; it hardly changes when other
 * programs want the cores, too.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class Megabytes {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NS_PER_SECOND = 1e9;

    private long bytes;
    private long cpuBefore;
    private long cpuNow;

    /** JMH resets fields that it reads itself, but not what stands behind methods. */
    @Setup(Level.Iteration)
    public void reset() {
        bytes = 0;
        cpuBefore = SYSTEM.getProcessCpuTime();
        cpuNow = cpuBefore;
    }

    /** Adds what an operation has gone through. */
    public void add(long processed) {
        bytes += processed;
        cpuNow = SYSTEM.getProcessCpuTime();
    }

    public double MB() {
        return bytes / BYTES_PER_MEGABYTE;
    }

    public double cores() {
        return (cpuNow - cpuBefore) / NS_PER_SECOND;
    }
}
