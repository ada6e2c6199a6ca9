// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Files that a recorder writes beside others with the same content: JAX writes {@code HOST.trace.json.gz} and
 * {@code perfetto_trace.json.gz} beside {@code HOST.xplane.pb}, which holds more.
 */
final class RecordedTwice {
    private static final List<String> FULL = List.of(".xplane.pb", ".xplane.pb.gz");
    private static final String SHORT = ".trace.json.gz";
    private static final String FOR_VIEWER = "perfetto_trace.json.gz";

    private RecordedTwice() {}

    /** The files without those that say again what another one of their folder says. */
    static List<Path> without(List<Path> files) {
        Set<Path> names = new HashSet<>();
        Set<Path> folders = new HashSet<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            for (String ending : FULL) {
                if (name.endsWith(ending)) {
                    names.add(file.resolveSibling(name.substring(0, name.length() - ending.length())));
                    folders.add(file.resolveSibling(FOR_VIEWER));
                }
            }
        }
        return files.stream()
                .filter(file -> !folders.contains(file) && !isShort(file, names))
                .toList();
    }

    private static boolean isShort(Path file, Set<Path> names) {
        String name = file.getFileName().toString();
        return name.endsWith(SHORT)
                && names.contains(file.resolveSibling(name.substring(0, name.length() - SHORT.length())));
    }
}
