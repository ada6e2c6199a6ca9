// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import java.nio.file.Path;

/**
 * One run of the training under one configuration.
 *
 * @param label what to call it: {@code 56cu_256threads}, {@code 256thread_28ch}
 * @param row in a sweep, the name of its thread count's folder: {@code 256thread}; else empty
 * @param column in a sweep, its channels: {@code 28ch}; else empty
 * @param settings what its name says in numbers
 * @param folder where it lies; a configuration of a sweep that was never run has a folder that does not exist
 * @param traces the traces of its ranks
 * @param reports where its reports lie or shall lie
 */
public record Configuration(
        String label,
        String row,
        String column,
        Settings settings,
        Path folder,
        TraceFolder traces,
        ConfigurationReports reports) {
    static final String ROCPROF = "rocprof_traces";

    /** The single configuration that a folder holds, whose reports have the program's own names. */
    public static Configuration at(Path given) {
        return at(given, ReportNames.OWN);
    }

    /**
     * The single configuration that a folder holds: a run's folder, or the folder of its traces itself.
     *
     * @param names what its reports shall be called
     * @throws dev.lockstep.error.UserException when the folder does not exist, or holds no traces in a known place
     */
    public static Configuration at(Path given, ReportNames names) {
        Path home = homeOf(given);
        return single(home, ProfilerFolder.of(given), names.in(home));
    }

    /**
     * A single configuration of which only finished reports may exist; traces are looked for, but need not be there.
     *
     * @param names what its reports are called, unless there are only others
     */
    public static Configuration finished(Path given, ReportNames names) {
        Path home = homeOf(given);
        return single(home, home.resolve(ProfilerFolder.NAME), names.existingIn(home));
    }

    /** The configuration of a sweep, whether or not it has a folder. */
    static Configuration ofSweep(Path sweep, Path analysis, SweepCell cell) {
        Path folder = sweep.resolve(cell.threadFolder()).resolve(cell.channelFolder());
        return new Configuration(
                cell.label(),
                cell.threadFolder(),
                cell.column(),
                Settings.ofSweep(cell.threadFolder(), cell.channelFolder()),
                folder,
                TraceFolder.of(folder.resolve(ProfilerFolder.NAME)),
                ConfigurationReports.ofSweep(analysis, cell));
    }

    /** The traces of a profiler of the GPU that was wrapped around the run; empty if there was none. */
    public TraceFolder rocprof() {
        return TraceFolder.ofRocprof(folder.resolve(ROCPROF));
    }

    private static Configuration single(Path home, Path profiler, Path analysis) {
        String name = nameOf(home);
        return new Configuration(
                name,
                "",
                "",
                Settings.ofConfiguration(name),
                home,
                TraceFolder.of(profiler),
                ConfigurationReports.ofRun(analysis));
    }

    private static Path homeOf(Path given) {
        return ProfilerFolder.isProfilerFolder(given) ? parentOf(given) : given;
    }

    private static Path parentOf(Path folder) {
        Path parent = folder.toAbsolutePath().normalize().getParent();
        return parent == null ? folder : parent;
    }

    private static String nameOf(Path folder) {
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return name == null ? "run" : name.toString();
    }
}
