// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * What kind of work a slice is, whatever the vendor calls it. Readers translate categories into kinds. On the host, outer
 * kinds stand before inner ones: of two slices with equal times the earlier kind encloses the later.
 */
public enum SliceKind {
    /** The profiler's span of the whole recording; never part of an analysis. */
    PROFILER_SPAN(false),
    /** Range marked by the user or the framework on the host. */
    ANNOTATION(false),
    /** Frame of the Python stack. */
    PYTHON(false),
    /** Framework operator on the host. */
    CPU_OP(false),
    /** Call of the vendor's runtime library. */
    RUNTIME_CALL(false),
    /** Call of the vendor's driver library. */
    DRIVER_CALL(false),
    /** The profiler's own cost. */
    OVERHEAD(false),
    /** Anything else on the host. */
    HOST_OTHER(false),
    /** Host annotation as seen on the device; spans the kernels launched inside it. */
    DEVICE_ANNOTATION(false),
    /** Computation or communication kernel. */
    KERNEL(true),
    /** Copy of device memory. */
    MEMCPY(true),
    /** Fill of device memory. */
    MEMSET(true),
    /** Synchronisation on the device: no work. */
    DEVICE_SYNC(false),
    /** Part of a device activity that was recorded as a whole, too: the copies of a collective. */
    DEVICE_PART(false);

    private static final SliceKind[] ALL = values();
    private final boolean deviceActivity;

    SliceKind(boolean deviceActivity) {
        this.deviceActivity = deviceActivity;
    }

    /** {@return whether slices of this kind occupy a device: kernels, copies and fills} */
    public boolean isDeviceActivity() {
        return deviceActivity;
    }

    /** {@return whether slices of this kind lie on a device, whether they do work or not} */
    public boolean isOnDevice() {
        return deviceActivity || this == DEVICE_ANNOTATION || this == DEVICE_SYNC || this == DEVICE_PART;
    }

    /** {@return whether slices of this kind show a thread of the host; the profiler's span of all does not} */
    public boolean isHost() {
        return this != PROFILER_SPAN && !isOnDevice();
    }

    /** {@return whether this is a call that can enqueue device work} */
    public boolean isLaunchCall() {
        return this == RUNTIME_CALL || this == DRIVER_CALL;
    }

    static SliceKind of(byte ordinal) {
        return ALL[ordinal];
    }
}
