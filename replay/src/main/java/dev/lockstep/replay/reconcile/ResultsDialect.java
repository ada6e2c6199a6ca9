// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.codec.Json.Members;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.report.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What another tool measured of kernels that ran alone, and of the whole, in files of its own. */
public interface ResultsDialect {
    /** The file with times of isolated kernels in a folder of results. */
    Path isolated(Path folder);

    /** Whether the document is the tool's list of times of isolated kernels. */
    boolean recognises(Members document);

    /**
     * The parts of such a list.
     *
     * @param source where it was read
     */
    MeasuredParts isolated(Members document, String source);

    /** The window that a document states; null when it states none. */
    @Nullable
    Window window(Members document);

    /**
     * What a document of the tool says about the whole; unknown where it says nothing.
     *
     * @param source where it was read
     */
    Whole whole(Members document, String source);

    /** Looks for the tool's other files beside one of them. */
    Beside beside(Path file) throws IOException;

    /**
     * What was found beside a file: the whole, from the reports in its folder, and what they claim.
     *
     * @param power a log of power, null without one
     * @param read the files that were read
     */
    record Beside(
            Whole whole, List<Finding> claims, @Nullable Path power, List<Path> read) {
        public Beside {
            claims = List.copyOf(claims);
            read = List.copyOf(read);
        }
    }
}
