// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Files that lie beside others with the same content. JAX writes {@code HOST.trace.json.gz} and
 * {@code perfetto_trace.json.gz} beside {@code HOST.xplane.pb}, which holds more. An export of Nsight Systems lies beside its
 * recording. Ascend's profiler writes databases and sums beside {@code trace_view.json}, and keeps what they were made of.
 */
final class RecordedTwice {
    private static final List<String> FULL = List.of(".xplane.pb", ".xplane.pb.gz");
    private static final String SHORT = ".trace.json.gz";
    private static final String EXPORT = ".sqlite";
    private static final List<String> RECORDINGS = List.of(".nsys-rep", ".qdrep");
    private static final String FOR_VIEWER = "perfetto_trace.json.gz";

    private static final String ASCEND = "ASCEND_PROFILER_OUTPUT";
    private static final String VIEW = "trace_view.json";

    /** Databases of one rank, which hold what the view holds. */
    private static final Pattern ASCEND_DATABASE = Pattern.compile("ascend_pytorch_profiler(?:_\\d+)?\\.db");

    /** What Ascend's profiler makes its databases of, in folders of theirs. */
    private static final Pattern RAW = Pattern.compile("(?:^|/)PROF_[^/]+/(?:host|device_\\d+)/");

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
        Set<Path> ascend = new HashSet<>();
        for (Path file : files) {
            if (isOfAscend(file)) {
                ascend.add(file.resolveSibling("..").normalize());
            }
        }
        return files.stream()
                .filter(file -> !folders.contains(file) && !isShort(file, names) && !isExported(file, given))
                .filter(file -> !isOfAscendTwice(file, given, ascend))
                .toList();
    }

    /** Whether a file holds all that a rank of Ascend did, in the folder where it is looked for. */
    private static boolean isOfAscend(Path file) {
        String name = file.getFileName().toString();
        return file.getParent() != null
                && file.getParent().endsWith(ASCEND)
                && (name.equals(VIEW) || ASCEND_DATABASE.matcher(name).matches());
    }

    /** @param ascend folders of ranks that have such a file */
    private static boolean isOfAscendTwice(Path file, Set<Path> given, Set<Path> ascend) {
        if (isOfAscend(file)) {
            return !file.endsWith(VIEW) && given.contains(file.resolveSibling(VIEW));
        }
        for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
            if (ascend.contains(folder.normalize())) {
                return true;
            }
        }
        return RAW.matcher(file.toString().replace('\\', '/')).find();
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
