// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Power that the system shows in files: energy counters of packages (RAPL), sensors of graphics devices (hwmon). */
public final class SysfsPower implements PowerSource {
    private static final double MICROS_PER_UNIT = 1e6; // divided by, which gives the nearest number

    private record Sensor(Domain domain, Path file, boolean energy, WrappingCounter counter) {}

    private final String name;
    private final List<Sensor> sensors;

    private SysfsPower(String name, List<Sensor> sensors) {
        this.name = name;
        this.sensors = List.copyOf(sensors);
    }

    /**
     * The energy counters below {@code /sys/class/powercap}, or a folder like it; without domains when there are none.
     *
     * @throws AccessDeniedException when there are some, but they may not be read
     */
    public static SysfsPower rapl(Path powercap) throws IOException {
        List<Sensor> sensors = new ArrayList<>();
        for (Path zone : children(powercap)) {
            Path energy = zone.resolve("energy_uj");
            String folder = String.valueOf(zone.getFileName());
            if (folder.contains("rapl") && Files.exists(energy)) {
                number(energy);
                Path label = zone.resolve("name");
                Path range = zone.resolve("max_energy_range_uj");
                sensors.add(new Sensor(
                        new Domain(folder, Files.exists(label) ? text(label) : folder, true),
                        energy,
                        true,
                        new WrappingCounter(Files.exists(range) ? number(range) : 0)));
            }
        }
        return new SysfsPower("rapl", sensors);
    }

    /** The power sensors below {@code /sys/class/hwmon}, or a folder like it. */
    public static SysfsPower hwmon(Path hwmon) throws IOException {
        List<Sensor> sensors = new ArrayList<>();
        for (Path chip : children(hwmon)) {
            Path label = chip.resolve("name");
            if (!Files.exists(label)) {
                continue;
            }
            for (String file : List.of("power1_average", "power1_input")) {
                Path power = chip.resolve(file);
                if (Files.exists(power)) {
                    String folder = String.valueOf(chip.getFileName());
                    sensors.add(new Sensor(
                            new Domain(folder, text(label), false, bus(chip)), power, false, new WrappingCounter(0)));
                    break;
                }
            }
        }
        return new SysfsPower("hwmon", sensors);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Domain> domains() {
        return sensors.stream().map(Sensor::domain).toList();
    }

    @Override
    public List<Reading> read() throws IOException {
        List<Reading> readings = new ArrayList<>(sensors.size());
        for (Sensor sensor : sensors) {
            long value = number(sensor.file);
            readings.add(
                    sensor.energy
                            ? new Reading(Double.NaN, sensor.counter.total(value) / MICROS_PER_UNIT)
                            : new Reading(value / MICROS_PER_UNIT, Double.NaN));
        }
        return readings;
    }

    @Override
    public void close() {}

    /** The name of the folder that {@code device} leads to, which is the address of what is on the bus. */
    private static String bus(Path chip) throws IOException {
        Path device = chip.resolve("device");
        String name = Files.exists(device) ? String.valueOf(device.toRealPath().getFileName()) : "";
        return name.matches("\\p{XDigit}{4,8}:\\p{XDigit}{2}:\\p{XDigit}{2}\\.[0-7]") ? name : "";
    }

    private static List<Path> children(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                entries.forEach(found::add);
            }
        }
        found.sort(null);
        return found;
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static long number(Path file) throws IOException {
        try {
            return Long.parseLong(text(file));
        } catch (NumberFormatException e) {
            throw new IOException(file + " holds no number", e);
        }
    }
}
