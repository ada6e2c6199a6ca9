// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The folder of one run.
 *
 * @param path where it is
 */
record RunDirectory(Path path) {
    static final String LOG = "run_output.log";
    private static final String EARLIER = "earlier_attempts";
    private static final String TRACES = "torch_profiler";

    boolean exists() {
        return Files.isDirectory(path);
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> children = Files.list(path)) {
            return children.findAny().isEmpty();
        }
    }

    /**
     * Makes room for a new attempt: what an earlier one left goes into {@code earlier_attempts} in the folder of the
     * launch, so that its files and the new ones are never mixed.
     *
     * @param base the folder of the launch
     */
    void prepare(Path base) throws IOException {
        if (exists() && !isEmpty()) {
            Path name = base.relativize(path);
            int number = 1;
            while (Files.exists(
                    base.resolve(EARLIER).resolve(Integer.toString(number)).resolve(name))) {
                number++;
            }
            Path aside = base.resolve(EARLIER).resolve(Integer.toString(number)).resolve(name);
            Files.createDirectories(Objects.requireNonNull(aside.getParent()));
            Files.move(path, aside);
        }
        Files.createDirectories(path);
    }

    Path log() {
        return path.resolve(LOG);
    }

    /** How many ranks have left traces. */
    int tracedRanks() throws IOException {
        Path traces = path.resolve(TRACES);
        if (!Files.isDirectory(traces)) {
            return 0;
        }
        try (Stream<Path> ranks = Files.list(traces)) {
            int count = 0;
            for (Path rank : ranks.filter(Files::isDirectory).toList()) {
                try (Stream<Path> files = Files.walk(rank)) {
                    count += files.anyMatch(file -> file.toString().matches(".*\\.json(\\.gz)?")) ? 1 : 0;
                }
            }
            return count;
        }
    }
}
