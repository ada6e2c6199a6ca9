// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.read.TraceNames;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Which traces are meant where there are several of a rank.
 *
 * @param step the step in their paths, -1 for any
 * @param traceName their name, a part of it, or a pattern; null for any
 * @param latest whether the latest of each rank is meant
 */
public record RankSelection(long step, @Nullable String traceName, boolean latest) {
    /**
     * {@return whether any of these files may be meant}
     *
     * @param files the files that there are
     */
    public boolean choosesFrom(Collection<Path> files) {
        return files.stream().anyMatch(this::admits);
    }

    /** Whether a file may be meant. */
    boolean admits(Path file) {
        return (step < 0 || TraceNames.stepOf(file) == step)
                && (traceName == null || TraceNames.matches(file, traceName));
    }

    /** {@return the selection where every rank has one trace} */
    public static RankSelection any() {
        return new RankSelection(-1, null, false);
    }
}
