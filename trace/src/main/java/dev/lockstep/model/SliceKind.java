// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * What kind of work a slice is, whatever the vendor calls it. Readers translate categories into kinds. On the host, outer
 * kinds stand before inner ones: of two slices with equal times the earlier kind encloses the later.
 */
public enum SliceKind {
    /** The profiler's span of the whole recording; never part of an analysis. */
    PROFILER_SPAN(Place.NOWHERE),
    /** Range marked by the user or the framework on the host. */
    ANNOTATION(Place.HOST),
    /** Frame of the Python stack. */
    PYTHON(Place.HOST),
    /** Framework operator on the host. */
    CPU_OP(Place.HOST),
    /** Call of the vendor's runtime library. */
    RUNTIME_CALL(Place.HOST),
    /** Call of the vendor's driver library. */
    DRIVER_CALL(Place.HOST),
    /** The profiler's own cost. */
    OVERHEAD(Place.HOST),
    /** Anything else on the host. */
    HOST_OTHER(Place.HOST),
    /** Host annotation as seen on the device; spans the kernels launched inside it. */
    DEVICE_ANNOTATION(Place.DEVICE),
    /** Computation or communication kernel. */
    KERNEL(Place.WORK),
    /** Copy of device memory. */
    MEMCPY(Place.WORK),
    /** Fill of device memory. */
    MEMSET(Place.WORK),
    /** Synchronisation on the device: no work. */
    DEVICE_SYNC(Place.DEVICE),
    /** Part of a device activity that was recorded as a whole, too: the copies of a collective. */
    DEVICE_PART(Place.DEVICE);

    /** Where slices lie. */
    private enum Place {
        NOWHERE,
        HOST,
        DEVICE,
        /** On a device, and they occupy it. */
        WORK
    }

    private static final SliceKind[] ALL = values();
    private final boolean deviceActivity;
    private final boolean onDevice;
    private final boolean host;

    SliceKind(Place place) {
        deviceActivity = place == Place.WORK;
        onDevice = deviceActivity || place == Place.DEVICE;
        host = place == Place.HOST;
    }

    /** {@return whether slices of this kind occupy a device: kernels, copies and fills} */
    public boolean isDeviceActivity() {
        return deviceActivity;
    }

    /** {@return whether slices of this kind lie on a device, whether they do work or not} */
    public boolean isOnDevice() {
        return onDevice;
    }

    /** {@return whether slices of this kind show a thread of the host; the profiler's span of all does not} */
    public boolean isHost() {
        return host;
    }

    /** {@return whether this is a call that can enqueue device work} */
    public boolean isLaunchCall() {
        return this == RUNTIME_CALL || this == DRIVER_CALL;
    }

    static SliceKind of(byte ordinal) {
        return ALL[ordinal];
    }
}
