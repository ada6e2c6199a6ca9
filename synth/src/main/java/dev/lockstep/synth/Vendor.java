// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** Whose device and runtime a synthetic trace imitates: the names of calls and kernels, and the device's speed. */
public enum Vendor {
    CUDA("NVIDIA H100 80GB HBM3", 132, 620e12, 2.6e12, 380e9),
    ROCM("AMD Instinct MI300X", 304, 520e12, 3.4e12, 310e9);

    private final String deviceName;
    private final int processors;
    private final double flopsPerSecond;
    private final double bytesPerSecond;
    private final double busBandwidth;

    Vendor(String deviceName, int processors, double flopsPerSecond, double bytesPerSecond, double busBandwidth) {
        this.deviceName = deviceName;
        this.processors = processors;
        this.flopsPerSecond = flopsPerSecond;
        this.bytesPerSecond = bytesPerSecond;
        this.busBandwidth = busBandwidth;
    }

    String deviceName() {
        return deviceName;
    }

    /** Streaming multiprocessors or compute units. */
    int processors() {
        return processors;
    }

    /** What a large 16-bit GEMM reaches, not the data sheet's peak. */
    double flopsPerSecond() {
        return flopsPerSecond;
    }

    /** What a large element-wise kernel reaches. */
    double bytesPerSecond() {
        return bytesPerSecond;
    }

    /** Bus bandwidth of a large collective inside a node with ideal settings, bytes per second. */
    double busBandwidth() {
        return busBandwidth;
    }
}
