// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the kernel's module of NVIDIA's driver says of itself. */
final class NvidiaDriver {
    /** The first branch of the driver that runs programs for CUDA 13, by NVIDIA's release notes. */
    private static final int FIRST_OF_CUDA_13 = 580;

    private static final Pattern VERSION =
            Pattern.compile("Kernel Module(?:(?!Kernel Module)[^\\n])*?\\s(\\d{3,4})((\\.\\d+)+)");

    private NvidiaDriver() {}

    /**
     * The version of a driver that is too old for CUDA 13; null if it is new enough or does not say.
     *
     * @param proc the folder {@code /proc}
     * @param compatible the library by which an older driver runs programs of a newer CUDA, where it is installed
     */
    static @Nullable String beforeCuda13(Path proc, Path compatible) {
        Path file = proc.resolve("driver/nvidia/version");
        try {
            Matcher version = VERSION.matcher(Files.isRegularFile(file) ? NamedFiles.settings(file) : "");
            boolean old = version.find() && Integer.parseInt(version.group(1)) < FIRST_OF_CUDA_13;
            return old && !Files.exists(compatible) ? version.group(1) + version.group(2) : null;
        } catch (IOException e) {
            return null;
        }
    }
}
