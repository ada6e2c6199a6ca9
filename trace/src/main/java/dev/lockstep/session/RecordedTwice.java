// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Files that lie beside others with the same content. JAX writes {@code HOST.trace.json.gz} and
 * {@code perfetto_trace.json.gz} beside {@code HOST.xplane.pb}, which holds more. An export of Nsight Systems lies beside its
 * recording.
 */
final class RecordedTwice {
    private static final List<String> FULL = List.of(".xplane.pb", ".xplane.pb.gz");
    private static final String SHORT = ".trace.json.gz";
    private static final String EXPORT = ".sqlite";
    private static final List<String> RECORDINGS = List.of(".nsys-rep", ".qdrep");
    private static final String FOR_VIEWER = "perfetto_trace.json.gz";

    private RecordedTwice() {}

    /** The files without those that say again what another one of their folder says. */
    static List<Path> without(List<Path> files) {
        Set<Path> given = Set.copyOf(files);
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
                .filter(file -> !folders.contains(file) && !isShort(file, names) && !isExported(file, given))
                .toList();
    }

    private static boolean isExported(Path file, Set<Path> given) {
        String name = file.getFileName().toString();
        return RECORDINGS.stream()
                .filter(name::endsWith)
                .map(ending -> name.substring(0, name.length() - ending.length()) + EXPORT)
                .anyMatch(export -> given.contains(file.resolveSibling(export)));
    }

    private static boolean isShort(Path file, Set<Path> names) {
        String name = file.getFileName().toString();
        return name.endsWith(SHORT)
                && names.contains(file.resolveSibling(name.substring(0, name.length() - SHORT.length())));
    }
}
