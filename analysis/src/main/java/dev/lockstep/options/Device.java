// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.options;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.Nearest;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What a device can do at best.
 *
 * @param name as people call it: {@code MI300X}
 * @param bytesPerSecond bandwidth of its memory; NaN when unknown
 * @param memoryBytes size of its memory; NaN when unknown
 * @param linkBytesPerSecond what the link to the host carries in one direction; NaN when unknown
 * @param peaks floating-point operations per second by unit and precision: {@code matrix_bf16}, {@code vector_fp32}
 * @param source where the figures come from; empty when not stated
 */
public record Device(
        String name,
        double bytesPerSecond,
        double memoryBytes,
        double linkBytesPerSecond,
        Map<String, Double> peaks,
        String source) {
    private static final List<String> BUNDLED = List.of("MI300X", "MI325X", "MI355X", "A100", "H100", "H200", "B200");

    /** Copies the peaks. */
    public Device {
        peaks = Map.copyOf(peaks);
    }

    /** {@return the names of the devices that ship with the program, as {@link #named} takes them} */
    public static List<String> names() {
        return BUNDLED;
    }

    /**
     * A device that ships with the program. Capitals do not matter.
     *
     * @param name as people call it, such as {@code MI300X}
     * @return its figures
     * @throws UserException if there is none of this name
     */
    public static Device named(String name) {
        for (String known : BUNDLED) {
            if (known.equalsIgnoreCase(name.strip())) {
                String file = "devices/" + known.toLowerCase(Locale.ROOT) + ".json";
                return parse(file, resource(file));
            }
        }
        throw new UserException(
                ErrorCode.OPTION_INVALID,
                "unknown device '" + name + "'",
                "Did you mean " + Nearest.of(name, BUNDLED) + "? Known devices: " + String.join(", ", BUNDLED)
                        + ". For another one, name a JSON file that describes it.");
    }

    /**
     * A device described by a JSON object: {@code {"name": "X", "mem_bw_gbps": 5300, "memory_gb": 192, "host_link_gbps": 64,
     * "max_achievable_tflops": {"matrix_bf16": 708}}}. Other members are ignored.
     *
     * @param source the name of the file, for messages
     * @param json the description
     * @return the device; figures that the text does not state are NaN
     * @throws UserException if the text is none
     */
    public static Device parse(String source, String json) {
        return DeviceFile.parse(source, json);
    }

    private static String resource(String file) {
        try (InputStream in = Device.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@return floating-point operations per second for a unit and precision; NaN when unknown}
     *
     * @param computeSpec unit and precision, as in {@code matrix_bf16}
     */
    public double flopsPerSecond(String computeSpec) {
        return peaks.getOrDefault(computeSpec, Double.NaN);
    }
}
