// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.UserException;
import dev.lockstep.read.RankNames;
import dev.lockstep.runs.TraceFolder;
import dev.lockstep.session.TraceFormats;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of one run.
 *
 * @param path where it is
 * @param nodes that write into it
 */
record RunDirectory(Path path, LaunchNodes nodes) {
    static RunDirectory of(RunPlan run) {
        return new RunDirectory(run.directory(), run.recipe().nodes());
    }

    private static final String LOG = "run_output.log";
    private static final String EARLIER = "earlier_attempts";
    private static final String TRACES = "torch_profiler";

    /** The time that {@code tensorboard_trace_handler} puts at the end of a trace's name. */
    private static final Pattern TIME = Pattern.compile("\\.\\d+$");

    /** Whether there is anything of a run; where nodes share the folder, of a run of this node. */
    boolean exists() {
        return nodes.isAlone()
                ? Files.isDirectory(path)
                : Files.exists(log()) || Files.exists(path.resolve(nodes.own(RunManifest.FILE)));
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.findAny().isEmpty();
        }
    }

    /**
     * Demands that what a run writes stays in the folder of the launch.
     *
     * @param base the folder of the launch
     * @throws UserException if a link leads out of it, a link stands in the place of a file, or a file in that of a folder
     */
    void demandPlaces(Path base) throws IOException {
        Output.demandWithin(base, path);
        Output.demandWithin(base, base.resolve(EARLIER));
        LaunchPlaces.file(log());
        LaunchPlaces.file(path.resolve(nodes.own(RunManifest.FILE)));
        LaunchPlaces.demandFolder(path);
    }

    /**
     * Makes room for a new attempt: what an earlier one left goes into {@code earlier_attempts} in the folder of the
     * launch, so that its files and the new ones are never mixed. A folder that nodes share stays, for others may be at work.
     *
     * @param base the folder of the launch
     */
    void prepare(Path base) throws IOException {
        if (nodes.isAlone() && exists() && !isEmpty(path)) {
            Path name = base.relativize(path);
            int number = 1;
            while (Files.exists(
                    base.resolve(EARLIER).resolve(Integer.toString(number)).resolve(name))) {
                number++;
            }
            Path aside = base.resolve(EARLIER).resolve(Integer.toString(number)).resolve(name);
            LaunchPlaces.makeFolder(Objects.requireNonNull(aside.getParent()));
            Files.move(path, aside);
        }
        LaunchPlaces.makeFolder(path);
    }

    /**
     * Removes the folder, and those around it, unless something is in them.
     *
     * @param base the folder of the launch, which stays
     */
    void removeEmpty(Path base) throws IOException {
        for (Path folder = path; !folder.equals(base) && isEmpty(folder); ) {
            Files.delete(folder);
            folder = Objects.requireNonNull(folder.getParent());
        }
    }

    Path log() {
        return path.resolve(nodes.own(LOG));
    }

    /** How many ranks have left traces: in folders, or side by side as {@code tensorboard_trace_handler} names them. */
    int tracedRanks() {
        Path traces = path.resolve(TRACES);
        TraceFormats formats = new TraceFormats();
        return (int) TraceFolder.of(traces).files().stream()
                .map(file -> rank(traces.relativize(file), formats.stem(file)))
                .distinct()
                .count();
    }

    /** The rank that a path names; else its folder, or the worker that the profiler's handler begins the name with. */
    private static String rank(Path trace, String stem) {
        OptionalInt rank = RankNames.rankOf(trace);
        return rank.isPresent()
                ? Integer.toString(rank.getAsInt())
                : trace.getNameCount() > 1
                        ? "in " + trace.getName(0)
                        : TIME.matcher(stem).replaceFirst("");
    }
}
