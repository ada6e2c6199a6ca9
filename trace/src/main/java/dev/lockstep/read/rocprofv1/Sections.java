// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprofv1;

import dev.lockstep.model.SliceKind;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the sections of a file are: the file calls them processes and names them before their events. */
final class Sections {
    /** The section of the first device, if none is named. */
    private static final int FIRST_DEVICE = 6;

    /** Behind each section of a device, by so many, is one of its barriers. */
    private static final int BARRIERS = 512;

    private static final Pattern DEVICE = Pattern.compile("GPU(\\d{1,9})");

    /**
     * A section.
     *
     * @param category of its slices, as rocprofv3 calls them
     * @param device number of the device, -1 of the host
     */
    record Section(SliceKind kind, String category, long device) {}

    private static final Section HIP = new Section(SliceKind.RUNTIME_CALL, "hip_api", -1);
    private static final Section HSA = new Section(SliceKind.DRIVER_CALL, "hsa_api", -1);
    private static final Section MARKERS = new Section(SliceKind.ANNOTATION, "marker_api", -1);
    private static final Section COPIES = new Section(SliceKind.MEMCPY, "memory_copy", 0);
    private static final Section OTHER = new Section(SliceKind.HOST_OTHER, "other", -1);

    private final Map<Long, Section> named = new HashMap<>();

    /** Takes the name of a section. */
    void name(long section, String name) {
        Section known = byName(name);
        if (known != null) {
            named.put(section, known);
        }
    }

    private static @Nullable Section byName(String name) {
        Matcher device = DEVICE.matcher(name);
        if (device.matches()) {
            return device(Long.parseLong(device.group(1)));
        }
        return switch (name) {
            case "CPU HIP API" -> HIP;
            case "CPU HSA API" -> HSA;
            case "Markers and Ranges" -> MARKERS;
            case "COPY" -> COPIES;
            default -> null;
        };
    }

    private static Section device(long number) {
        return new Section(SliceKind.KERNEL, "kernel_dispatch", number);
    }

    /** A section by its name, or by its number where it has none that is known. */
    Section of(long section) {
        Section known = named.get(section);
        if (known != null) {
            return known;
        }
        if (section >= FIRST_DEVICE + BARRIERS && section < FIRST_DEVICE + 2L * BARRIERS) {
            return new Section(SliceKind.DEVICE_SYNC, "barrier", section - FIRST_DEVICE - BARRIERS);
        }
        if (section >= FIRST_DEVICE && section < FIRST_DEVICE + BARRIERS) {
            return device(section - FIRST_DEVICE);
        }
        return switch ((int) section) {
            case 0 -> MARKERS;
            case 1 -> COPIES;
            case 2 -> HIP;
            case 3 -> HSA;
            default -> OTHER;
        };
    }
}
