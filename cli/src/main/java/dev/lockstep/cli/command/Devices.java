// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.options.Device;
import java.nio.file.Files;
import java.nio.file.Path;

/** The device that a user names: a bundled one, or a file that describes one. */
final class Devices {
    private Devices() {}

    static Device of(String name) {
        if (!name.contains("/") && !name.contains(".") && !Files.isRegularFile(Path.of(name))) {
            return Device.named(name);
        }
        return Device.parse(name, Documents.json(Path.of(name)));
    }
}
