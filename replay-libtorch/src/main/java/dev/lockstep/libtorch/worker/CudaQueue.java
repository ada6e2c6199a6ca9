// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bytedeco.pytorch.cuda.CUDAEvent;
import org.bytedeco.pytorch.global.torch_cuda;
import org.jspecify.annotations.Nullable;

/** The current stream of an NVIDIA device. What the bindings leave out is called in their libraries by its symbol. */
@SuppressWarnings("restricted") // the worker's command allows native access
final class CudaQueue implements DeviceQueue {
    /** {@code at::cuda::sleep(int64_t cycles)}. */
    private static final String SLEEP = "_ZN2at4cuda5sleepEl";

    private static final long TRIED_CYCLES = 1_000_000;

    /** No device counts faster. */
    private static final double MOST_CYCLES_PER_NS = 4;

    private static final long NS_PER_MS = 1_000_000;
    private static final int BUS_BYTES = 32;

    private final CUDAEvent spinning = new CUDAEvent(0);
    private final CUDAEvent begin = new CUDAEvent(0);
    private final CUDAEvent end = new CUDAEvent(0);
    private final @Nullable MethodHandle sleep;

    /** Of the spin before what is timed; 0 for none. */
    private long cycles;

    /** The fastest that the device was seen to count: a spin's time may hold a launch, or clocks at rest. */
    private double cyclesPerNs;

    CudaQueue() {
        sleep = symbol(SLEEP)
                .map(found -> Linker.nativeLinker().downcallHandle(found, FunctionDescriptor.ofVoid(JAVA_LONG)))
                .orElse(null);
    }

    private static Optional<MemorySegment> symbol(String name) {
        return SymbolLookup.loaderLookup().find(name);
    }

    /** The address of a device on the bus; empty when the runtime does not tell it. */
    static String bus(int device) {
        Optional<MemorySegment> function = symbol("cudaDeviceGetPCIBusId");
        if (function.isEmpty()) {
            return "";
        }
        MethodHandle busOf = Linker.nativeLinker()
                .downcallHandle(function.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(BUS_BYTES);
            Object status = call(busOf, text, BUS_BYTES, device);
            return Integer.valueOf(0).equals(status) ? text.getString(0, StandardCharsets.UTF_8) : "";
        }
    }

    @Override
    public void synchronize() {
        torch_cuda.device_synchronize();
    }

    @Override
    public boolean spins() {
        return sleep != null;
    }

    @Override
    public void spin(long ns) {
        if (cyclesPerNs == 0) {
            for (int tries = 0; tries < 2; tries++) { // the first one loads the kernel
                sleep(TRIED_CYCLES);
                begin();
                begin.synchronize();
                learn();
            }
        }
        sleep(Math.round(ns * cyclesPerNs));
    }

    private void sleep(long count) {
        cycles = count;
        spinning.record();
        call(java.util.Objects.requireNonNull(sleep), count);
    }

    private void learn() {
        if (cycles > 0) {
            double seen = cycles / Math.max(1, spinning.elapsed_time(begin) * NS_PER_MS);
            cyclesPerNs = Math.min(MOST_CYCLES_PER_NS, Math.max(cyclesPerNs, seen));
            cycles = 0;
        }
    }

    private static @Nullable Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void begin() {
        begin.record();
    }

    @Override
    public void end() {
        end.record();
    }

    @Override
    public boolean hasBegun() {
        return begin.query();
    }

    @Override
    public long elapsed() {
        end.synchronize();
        learn();
        return (long) (begin.elapsed_time(end) * NS_PER_MS);
    }
}
