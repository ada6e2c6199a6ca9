// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import dev.lockstep.codec.Json;
import dev.lockstep.model.TraceInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a multiprocessor of a device holds at once, as far as a trace tells ({@code deviceProperties}). Units in which
 * registers and shared memory are given out, and the most blocks, are those of NVIDIA's table of compute capabilities (CUDA
 * C++ Programming Guide, Technical Specifications per Compute Capability) and of its occupancy calculator.
 *
 * @param processors number of multiprocessors
 * @param warpSize threads of a warp
 * @param threads most threads of a multiprocessor
 * @param registers of a multiprocessor, -1 when not told
 * @param sharedMemory bytes of a multiprocessor, -1 when not told
 * @param capability major and minor compute capability, as in 90 for 9.0; 0 for devices of other vendors
 */
record DeviceLimits(int processors, int warpSize, int threads, long registers, long sharedMemory, int capability) {
    private static final int WARP_OF_NVIDIA = 32;
    private static final int REGISTER_UNIT = 256;
    private static final int WARP_UNIT = 4;
    private static final int AMPERE = 80;
    private static final int RESERVED_SINCE_AMPERE = 1024;
    private static final int PLAUSIBLE = 1 << 20;

    /** What limits how many blocks a multiprocessor holds. */
    enum Limit {
        /** Threads of the multiprocessor. */
        THREADS,
        /** Registers. */
        REGISTERS,
        /** Shared memory. */
        SHARED_MEMORY,
        /** The number of blocks itself. */
        BLOCKS
    }

    /**
     * How many blocks a multiprocessor holds.
     *
     * @param blocks how many, 0 when not even one fits
     * @param by what limits it
     */
    record Resident(int blocks, Limit by) {}

    /** The limits of the devices of a trace by their numbers; empty when it does not tell. */
    static Map<Long, DeviceLimits> of(TraceInfo info) {
        Map<Long, DeviceLimits> limits = new HashMap<>();
        String text = info.metadata().get("deviceProperties");
        if (text == null) {
            return limits;
        }
        try {
            if (Json.parse(text) instanceof Json.Items devices) {
                for (Json device : devices.items()) {
                    if (device instanceof Json.Members one) {
                        add(one, limits);
                    }
                }
            }
        } catch (IOException e) {
            limits.clear(); // reading the trace has counted it
        }
        return limits;
    }

    private static void add(Json.Members device, Map<Long, DeviceLimits> limits) {
        int processors = count(device, "numSms");
        int warp = count(device, "warpSize");
        int threads = count(device, "maxThreadsPerMultiprocessor");
        long id = device.whole("id", -1);
        if (processors <= 0 || warp <= 0 || threads < warp || id < 0) {
            return;
        }
        int capability =
                warp == WARP_OF_NVIDIA ? 10 * count(device, "computeMajor") + count(device, "computeMinor") : 0;
        limits.put(
                id,
                new DeviceLimits(
                        processors,
                        warp,
                        threads,
                        device.whole("regsPerMultiprocessor", -1),
                        device.whole("sharedMemPerMultiprocessor", -1),
                        capability));
    }

    /** A number that is no nonsense, else 0. */
    private static int count(Json.Members device, String name) {
        long value = device.whole(name, 0);
        return value < 0 || value > PLAUSIBLE ? 0 : (int) value;
    }

    /** Most blocks of a multiprocessor. */
    private int mostBlocks() {
        return switch (capability) {
            case 75, 86, 87 -> 16;
            case 89, 110, 120, 121 -> 24;
            default -> capability < 50 ? 16 : 32;
        };
    }

    /** Warps of a block. */
    long warps(long threadsOfBlock) {
        return (threadsOfBlock + warpSize - 1) / warpSize;
    }

    /** Whether the trace and the tables tell enough for {@link #resident}. */
    boolean tellResident() {
        return capability > 0 && registers > 0 && sharedMemory > 0;
    }

    /**
     * How many blocks of a kernel a multiprocessor holds at once.
     *
     * @param threadsOfBlock threads of a block, at least 1
     * @param registersOfThread registers of a thread, -1 when not known
     * @param sharedOfBlock bytes of shared memory of a block, -1 when not known
     */
    Resident resident(long threadsOfBlock, long registersOfThread, long sharedOfBlock) {
        long warps = warps(threadsOfBlock);
        List<Resident> limits = new ArrayList<>();
        limits.add(new Resident(Math.toIntExact(threads / warpSize / warps), Limit.THREADS));
        if (registersOfThread > 0) {
            long ofWarp = up(Math.min(registersOfThread, registers) * warpSize, REGISTER_UNIT);
            long held = registers / ofWarp / WARP_UNIT * WARP_UNIT;
            limits.add(new Resident((int) (held / warps), Limit.REGISTERS));
        }
        long reserved = capability >= AMPERE ? RESERVED_SINCE_AMPERE : 0;
        long asked = Math.clamp(sharedOfBlock, 0, sharedMemory + 1L); // more than there is does not fit, however much
        long shared = up(asked + reserved, capability >= AMPERE ? 128 : 256);
        if (shared > 0) {
            limits.add(new Resident((int) (sharedMemory / shared), Limit.SHARED_MEMORY));
        }
        limits.add(new Resident(mostBlocks(), Limit.BLOCKS));
        Resident least = limits.getFirst();
        for (Resident limit : limits) {
            least = limit.blocks < least.blocks ? limit : least;
        }
        return least;
    }

    private static long up(long value, long unit) {
        return (value + unit - 1) / unit * unit;
    }
}
