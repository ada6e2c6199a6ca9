// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the folder in which the profiler left the traces of a run. */
final class ProfilerFolder {
    static final String NAME = "torch_profiler";

    private ProfilerFolder() {}

    /** Whether a folder is the profiler's itself, rather than the run's around it. */
    static boolean isProfilerFolder(Path folder) {
        return String.valueOf(folder.toAbsolutePath().normalize().getFileName()).equals(NAME)
                || (!Files.isDirectory(folder.resolve(NAME)) && hasRankFolders(folder));
    }

    /** The profiler's folder of a run's folder, which may be it already, or hold the traces itself. */
    static Path of(Path given) {
        if (!Files.exists(given)) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, given + ": there is no such folder", null);
        }
        if (!Files.isDirectory(given)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND, given + ": expected the folder of a run, found a file", null);
        }
        if (isProfilerFolder(given)) {
            return given;
        }
        Path inside = given.resolve(NAME);
        if (Files.isDirectory(inside) || Files.isDirectory(given.resolve(Configuration.ROCPROF))) {
            return inside;
        }
        if (!TraceFolder.of(given).isEmpty()) {
            return given;
        }
        throw new UserException(
                ErrorCode.NOTHING_TO_DO,
                given + ": no traces of a run here",
                "Give a folder that holds torch_profiler/rank*, or a folder of traces.");
    }

    private static boolean hasRankFolders(Path folder) {
        return Folders.children(folder).stream().anyMatch(RankFolders::isRankFolder);
    }
}
