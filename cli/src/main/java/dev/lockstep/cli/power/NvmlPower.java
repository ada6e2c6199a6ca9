// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.power;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.lockstep.power.PowerSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Power and energy of NVIDIA devices by their management library. Energy is counted by the device from Volta on, in mJ;
 * power comes in mW. Devices are numbered as the library does, by their place on the bus, which need not be CUDA's order.
 */
@SuppressWarnings("restricted") // the launcher allows native access
public final class NvmlPower implements PowerSource {
    private static final int SUCCESS = 0;
    private static final int NAME_BYTES = 96;
    private static final double MILLIS_PER_UNIT = 1000; // divided by, which gives the nearest number

    /** A structure that ends with the address on the bus as text. */
    private static final String PLACE_ON_BUS = "nvmlDeviceGetPciInfo_v3";

    private static final int PLACE_BYTES = 68;
    private static final int PLACE_TEXT = 36;

    private record Device(MemorySegment handle, Domain domain) {}

    private final Arena arena;
    private final MethodHandle power;
    private final @Nullable MethodHandle energy;
    private final MethodHandle shutdown;
    private final MemorySegment out;
    private final List<Device> devices = new ArrayList<>();

    private NvmlPower(Arena arena, SymbolLookup library) throws IOException {
        this.arena = arena;
        out = arena.allocate(JAVA_LONG);
        power = function(library, "nvmlDeviceGetPowerUsage", ADDRESS, ADDRESS);
        energy = library.find("nvmlDeviceGetTotalEnergyConsumption").isPresent()
                ? function(library, "nvmlDeviceGetTotalEnergyConsumption", ADDRESS, ADDRESS)
                : null;
        shutdown = function(library, "nvmlShutdown");
        call("nvmlInit_v2", function(library, "nvmlInit_v2"));
        call("nvmlDeviceGetCount_v2", function(library, "nvmlDeviceGetCount_v2", ADDRESS), out);
        int count = out.get(JAVA_INT, 0);
        MethodHandle handleOf = function(library, "nvmlDeviceGetHandleByIndex_v2", JAVA_INT, ADDRESS);
        MethodHandle nameOf = function(library, "nvmlDeviceGetName", ADDRESS, ADDRESS, JAVA_INT);
        MethodHandle busOf =
                library.find(PLACE_ON_BUS).isPresent() ? function(library, PLACE_ON_BUS, ADDRESS, ADDRESS) : null;
        for (int i = 0; i < count; i++) {
            MemorySegment place = arena.allocate(ADDRESS);
            call("nvmlDeviceGetHandleByIndex_v2", handleOf, i, place);
            MemorySegment handle = place.get(ADDRESS, 0);
            boolean counts = energy != null && status(energy, handle, out) == SUCCESS;
            devices.add(new Device(handle, new Domain("gpu" + i, name(nameOf, handle), counts, bus(busOf, handle))));
        }
    }

    /** The library of this machine; empty when there is none, or no driver behind it. */
    @SuppressWarnings("MustBeClosedChecker") // close() closes the arena
    public static Optional<NvmlPower> open() {
        Arena arena = Arena.ofShared();
        try {
            return Optional.of(new NvmlPower(arena, SymbolLookup.libraryLookup("libnvidia-ml.so.1", arena)));
        } catch (IOException | IllegalArgumentException e) {
            arena.close();
            return Optional.empty();
        }
    }

    /**
     * A library that is open already.
     *
     * @throws IOException when it lacks a function, or refuses
     */
    @SuppressWarnings("MustBeClosedChecker") // close() closes the arena
    static NvmlPower of(SymbolLookup library) throws IOException {
        return new NvmlPower(Arena.ofShared(), library);
    }

    @Override
    public String name() {
        return "nvml";
    }

    @Override
    public List<Domain> domains() {
        return devices.stream().map(Device::domain).toList();
    }

    @Override
    public List<Reading> read() throws IOException {
        List<Reading> readings = new ArrayList<>(devices.size());
        for (Device device : devices) {
            double watts = status(power, device.handle, out) == SUCCESS
                    ? Integer.toUnsignedLong(out.get(JAVA_INT, 0)) / MILLIS_PER_UNIT
                    : Double.NaN;
            double joules = energy != null && device.domain.counts() && status(energy, device.handle, out) == SUCCESS
                    ? out.get(JAVA_LONG, 0) / MILLIS_PER_UNIT
                    : Double.NaN;
            readings.add(new Reading(watts, joules));
        }
        return readings;
    }

    @Override
    public void close() {
        try {
            status(shutdown);
        } catch (IOException e) {
            // what cannot be shut down ends with the process
        }
        arena.close();
    }

    private String name(MethodHandle nameOf, MemorySegment handle) throws IOException {
        MemorySegment text = arena.allocate(NAME_BYTES);
        return status(nameOf, handle, text, NAME_BYTES) == SUCCESS
                ? text.getString(0, StandardCharsets.UTF_8)
                : "NVIDIA device";
    }

    private String bus(@Nullable MethodHandle busOf, MemorySegment handle) throws IOException {
        MemorySegment place = arena.allocate(PLACE_BYTES, Long.BYTES);
        return busOf != null && status(busOf, handle, place) == SUCCESS
                ? place.getString(PLACE_TEXT, StandardCharsets.UTF_8)
                : "";
    }

    private static MethodHandle function(SymbolLookup library, String name, MemoryLayout... arguments)
            throws IOException {
        MemorySegment symbol = library.find(name).orElseThrow(() -> new IOException("the library lacks " + name));
        return Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static void call(String name, MethodHandle function, Object... arguments) throws IOException {
        int status = status(function, arguments);
        if (status != SUCCESS) {
            throw new IOException(name + " gives status " + status);
        }
    }

    private static int status(MethodHandle function, Object... arguments) throws IOException {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }
}
