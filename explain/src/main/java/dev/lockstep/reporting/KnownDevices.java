// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.TraceInfo;
import dev.lockstep.options.Device;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bundled device that a trace was recorded on, by the name that the vendor's library gives it. */
final class KnownDevices {
    /** Boards with the chip of a bundled device, but other clocks or memory. */
    private static final Pattern OTHER_BOARD = Pattern.compile("(?i)pcie|nvl\\b|\\bmig\\b|gh200|gb200");

    private KnownDevices() {}

    /** The device; null when none is recorded, several differ, or it is not bundled. */
    static @Nullable Device of(TraceInfo info) {
        List<String> names =
                info.devices().stream().map(TraceInfo.Device::name).distinct().toList();
        if (names.size() != 1 || OTHER_BOARD.matcher(names.getFirst()).find()) {
            return null;
        }
        for (String known : Device.names()) {
            if (Pattern.compile("(?i)\\b" + Pattern.quote(known) + "\\b")
                    .matcher(names.getFirst())
                    .find()) {
                return Device.named(known);
            }
        }
        return null;
    }
}
