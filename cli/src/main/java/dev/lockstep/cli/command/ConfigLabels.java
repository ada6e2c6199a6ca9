// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Configuration;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/** What configurations are called in heads and legends. */
final class ConfigLabels {
    private static final int DEEPEST = 4;

    private ConfigLabels() {}

    /**
     * The given names, else those of the folders, with those of the folders above where they are alike.
     *
     * @param plain whether names of folders alone will do; alike ones are then an error
     */
    static List<String> of(List<Configuration> configurations, List<String> given, boolean plain) {
        if (!given.isEmpty() && given.size() != configurations.size()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--names gives " + given.size() + " names for " + configurations.size() + " configurations",
                    "One for each, the baseline first.");
        }
        List<String> labels = given.isEmpty() ? folders(configurations, 1) : given;
        for (int depth = 2; given.isEmpty() && !plain && depth <= DEEPEST && !differ(labels); depth++) {
            labels = folders(configurations, depth);
        }
        if (!differ(labels)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "two configurations are called alike: " + String.join(", ", labels),
                    "Give each a name of its own: --names A,B.");
        }
        return labels;
    }

    private static boolean differ(List<String> labels) {
        return new HashSet<>(labels).size() == labels.size();
    }

    private static List<String> folders(List<Configuration> configurations, int depth) {
        return configurations.stream()
                .map(c -> lastParts(c.folder().toAbsolutePath().normalize(), depth))
                .toList();
    }

    private static String lastParts(Path folder, int depth) {
        int from = Math.max(0, folder.getNameCount() - depth);
        String name =
                folder.getNameCount() == 0 ? "run" : Objects.toString(folder.subpath(from, folder.getNameCount()));
        return name.replace('\\', '/');
    }
}
