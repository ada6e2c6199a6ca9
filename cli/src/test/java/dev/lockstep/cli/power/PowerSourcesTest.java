// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.power;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.power.EnergyIntegrator;
import dev.lockstep.power.PowerLog;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.power.PowerSource;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library of NVIDIA is stood in for by functions of this class, called through the same foreign calls. */
class PowerSourcesTest {
    private static final int NOT_SUPPORTED = 3;

    @TempDir
    Path folder;

    @SuppressWarnings("UnusedMethod") // called as foreign functions
    private static final class Library {
        private static long readings;

        static int init() {
            return 0;
        }

        static int count(MemorySegment out) {
            out.reinterpret(Integer.BYTES).set(JAVA_INT, 0, 2);
            return 0;
        }

        static int handle(int index, MemorySegment out) {
            out.reinterpret(ADDRESS.byteSize()).set(ADDRESS, 0, MemorySegment.ofAddress(1000 + index));
            return 0;
        }

        static int name(MemorySegment device, MemorySegment out, int length) {
            out.reinterpret(length).setString(0, "Device " + device.address());
            return 0;
        }

        static int power(MemorySegment device, MemorySegment out) {
            out.reinterpret(Integer.BYTES).set(JAVA_INT, 0, device.address() == 1000 ? 250_500 : 75_000);
            return 0;
        }

        static int energy(MemorySegment device, MemorySegment out) {
            if (device.address() != 1000) {
                return NOT_SUPPORTED;
            }
            readings++;
            out.reinterpret(Long.BYTES).set(JAVA_LONG, 0, 5_000_000_000L + readings * 1000);
            return 0;
        }
    }

    private static SymbolLookup library(Arena arena, boolean countsEnergy) throws ReflectiveOperationException {
        Map<String, MemorySegment> symbols = new HashMap<>();
        put(symbols, arena, "nvmlInit_v2", "init");
        put(symbols, arena, "nvmlShutdown", "init");
        put(symbols, arena, "nvmlDeviceGetCount_v2", "count", MemorySegment.class);
        put(symbols, arena, "nvmlDeviceGetHandleByIndex_v2", "handle", int.class, MemorySegment.class);
        put(symbols, arena, "nvmlDeviceGetName", "name", MemorySegment.class, MemorySegment.class, int.class);
        put(symbols, arena, "nvmlDeviceGetPowerUsage", "power", MemorySegment.class, MemorySegment.class);
        if (countsEnergy) {
            put(
                    symbols,
                    arena,
                    "nvmlDeviceGetTotalEnergyConsumption",
                    "energy",
                    MemorySegment.class,
                    MemorySegment.class);
        }
        return name -> Optional.ofNullable(symbols.get(name));
    }

    private static void put(
            Map<String, MemorySegment> symbols, Arena arena, String name, String method, Class<?>... arguments)
            throws ReflectiveOperationException {
        MethodHandle target =
                MethodHandles.lookup().findStatic(Library.class, method, MethodType.methodType(int.class, arguments));
        FunctionDescriptor layout = FunctionDescriptor.of(
                JAVA_INT,
                java.util.Arrays.stream(arguments)
                        .map(type -> type == int.class ? JAVA_INT : ADDRESS)
                        .toArray(java.lang.foreign.MemoryLayout[]::new));
        symbols.put(name, Linker.nativeLinker().upcallStub(target, layout, arena));
    }

    @Test
    void nvmlGivesWattsAndJoulesOfEachDevice() throws Exception {
        try (Arena arena = Arena.ofShared();
                NvmlPower nvml = NvmlPower.of(library(arena, true))) {
            assertThat(nvml.domains())
                    .containsExactly(
                            new PowerSource.Domain("gpu0", "Device 1000", true),
                            new PowerSource.Domain("gpu1", "Device 1001", false));
            List<PowerSource.Reading> readings = nvml.read();
            assertThat(readings.get(0).watts()).isEqualTo(250.5);
            assertThat(readings.get(0).joules()).isGreaterThan(5_000_000);
            assertThat(readings.get(1).watts()).isEqualTo(75);
            assertThat(readings.get(1).joules()).isNaN();
        }
    }

    /** The same through a library on disk, where there is a C compiler; without one, the functions above stand alone. */
    @Test
    void aLibraryOnDiskIsLoadedAndAsked() throws Exception {
        Path source = Files.writeString(folder.resolve("nvml.c"), """
            #include <string.h>
            static unsigned long long millijoules = 1000;
            static char devices[2];
            int nvmlInit_v2(void) { return 0; }
            int nvmlShutdown(void) { return 0; }
            int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return 0; }
            int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = devices + i; return i < 2 ? 0 : 2; }
            int nvmlDeviceGetName(void *d, char *out, unsigned n) { strncpy(out, "Stub", n); return 0; }
            int nvmlDeviceGetPciInfo_v3(void *d, char *out) {
                memset(out, 0, 68);
                strcpy(out + 36, "00000000:3B:00.0");
                return d == devices ? 0 : 2;
            }
            int nvmlDeviceGetPowerUsage(void *d, unsigned *mw) {
                if (d == devices + 1) return 15;
                *mw = 3000000000u;
                return 0;
            }
            int nvmlDeviceGetTotalEnergyConsumption(void *d, unsigned long long *mj) {
                millijoules += 500;
                *mj = millijoules;
                return d == devices ? 0 : 3;
            }
            """);
        Path library = folder.resolve("libnvidia-ml.so.1");
        assumeTrue(compiled(source, library), "no C compiler: NVML is tested through functions of this class alone");
        try (NvmlPower nvml = NvmlPower.of(SymbolLookup.libraryLookup(library, Arena.global()))) {
            assertThat(nvml.domains())
                    .containsExactly(
                            new PowerSource.Domain("gpu0", "Stub", true, "00000000:3B:00.0"),
                            new PowerSource.Domain("gpu1", "Stub", false));
            double before = nvml.read().getFirst().joules();
            List<PowerSource.Reading> readings = nvml.read();
            assertThat(readings.getFirst().watts()).isEqualTo(3_000_000);
            assertThat(readings.getFirst().joules() - before).isEqualTo(0.5);
            assertThat(readings.get(1).watts()).isNaN();
        }
    }

    private static boolean compiled(Path source, Path library) throws InterruptedException {
        try {
            return new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void oldDriversDoNotCountEnergy() throws Exception {
        try (Arena arena = Arena.ofShared();
                NvmlPower nvml = NvmlPower.of(library(arena, false))) {
            assertThat(nvml.domains()).noneMatch(PowerSource.Domain::counts);
        }
    }

    @Test
    void aLibraryThatLacksFunctionsIsRefused() {
        assertThatThrownBy(() -> NvmlPower.of(name -> Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nvml");
    }

    @Test
    void whatIsRecordedCanBeJoined() throws Exception {
        StringWriter log = new StringWriter();
        try (Arena arena = Arena.ofShared();
                NvmlPower nvml = NvmlPower.of(library(arena, true))) {
            int[] left = {3};
            new PowerRecorder(nvml, 1_000_000)
                    .record(
                            log,
                            Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC),
                            () -> left[0]-- > 0);
        }
        Path file = Files.writeString(folder.resolve("power.csv"), log.toString());
        List<PowerSeries> series = PowerLog.read(file).series();
        assertThat(series).extracting(PowerSeries::domain).containsExactly("gpu0", "gpu1");
        PowerSeries first = series.getFirst();
        assertThat(first.counts()).isTrue();
        assertThat(first.ns()[0]).isGreaterThanOrEqualTo(1_700_000_000_000_000_000L);
        long end = first.ns()[first.size() - 1];
        assertThat(new EnergyIntegrator(first).of(first.ns()[0], end).watts()).isBetween(250.4, 250.6);
    }

    @Test
    void answersOfProgramsAreRead() {
        assertThat(ProgramPower.lines("0, 35.50\n1, [N/A]\n"))
                .containsEntry("0", 35.5)
                .containsEntry("1", Double.NaN);
        assertThat(ProgramPower.amd("[{\"gpu\": 0, \"power\": {\"socket_power\": {\"value\": 140, \"unit\": \"W\"}}}]"))
                .containsEntry("0", 140.0);
        assertThat(ProgramPower.amd("{\"card1\": {\"Average Graphics Package Power (W)\": \"35.0\"}}"))
                .containsEntry("1", 35.0);
        assertThat(ProgramPower.amd(
                        "[{\"gpu\": 0, \"power\": {\"socket_power\": {\"value\": 140000, \"unit\": \"mW\"}}},"
                                + " {\"gpu\": 1, \"power\": {\"socket_power\": \"N/A\", \"average_socket_power\":"
                                + " \"99 W\"}}]"))
                .containsEntry("0", 140.0)
                .containsEntry("1", 99.0);
        assertThat(ProgramPower.amd("no JSON")).isEmpty();
        assertThat(ProgramPower.buses("0, 00000000:3B:00.0\n1, 00000000:AF:00.0\nNo devices were found\n"))
                .containsExactly(Map.entry("0", "00000000:3B:00.0"), Map.entry("1", "00000000:AF:00.0"));
        assertThat(ProgramPower.amdBuses("[{\"gpu\": 1, \"bdf\": \"0000:c1:00.0\"}, {\"gpu\": 2}]"))
                .containsExactly(Map.entry("1", "0000:c1:00.0"));
        assertThat(ProgramPower.amdBuses("no JSON")).isEmpty();
    }
}
