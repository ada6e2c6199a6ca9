// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import java.nio.file.Path;
import java.util.List;

/**
 * What came of a run.
 *
 * @param files what was written, as absolute paths, in the order in which it was begun
 * @param eventsRead events of the inputs; a begin and its end count as one
 * @param eventsWritten events of the result, counters, arrows and metadata among them
 * @param complete whether every entry of the inputs could be used
 * @param problems the first errors and warnings, as they were said
 * @param problemCount how many there were, those beyond the first ones included
 */
public record AiuResult(
        List<Path> files,
        long eventsRead,
        long eventsWritten,
        boolean complete,
        List<String> problems,
        long problemCount) {
    /** What comes of a run that reads and writes nothing. */
    static final AiuResult NOTHING = new AiuResult(List.of(), 0, 0, true, List.of(), 0);

    public AiuResult {
        files = List.copyOf(files);
        problems = List.copyOf(problems);
    }
}
