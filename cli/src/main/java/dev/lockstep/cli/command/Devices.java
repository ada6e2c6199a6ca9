// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.FileNames;
import dev.lockstep.options.Device;
import java.nio.file.Files;
import java.nio.file.Path;

/** The device that a user names: a bundled one, or a file that describes one. */
final class Devices {
    private Devices() {}

    static Device of(String name) {
        Path file = FileNames.path(name);
        boolean isFile = Files.exists(file) && !Files.isDirectory(file);
        if (!name.contains("/") && !name.contains(".") && !isFile) {
            return Device.named(name);
        }
        return Device.parse(name, Documents.json(file));
    }
}
