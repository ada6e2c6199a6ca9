// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a window would be with other durations.
 *
 * @param edit what was changed, as it was asked for
 * @param window name of the window
 * @param before its length as recorded, in ns
 * @param after its length with the change, in ns
 * @param changed how many durations and latencies the change makes different
 */
record WhatIf(String edit, String window, long before, long after, long changed) {
    /** What the change gains, in ns; negative where it costs. */
    long gain() {
        return before - after;
    }

    /** The same for a graph of which the slices are not known. */
    static List<WhatIf> of(DependencyGraph graph, List<String> scenarios, PathWindow window, int[] ends) {
        return of(graph, scenarios, window, ends, null);
    }

    /**
     * Replays a graph with each of several scenarios.
     *
     * @param scenarios as users write them: edits joined by semicolons
     * @param window the recording
     * @param ends the vertices of which the last ends the window
     * @param trace knows the slices of the one rank of the graph; null for several ranks
     * @throws UserException when one cannot be understood
     */
    static List<WhatIf> of(
            DependencyGraph graph, List<String> scenarios, PathWindow window, int[] ends, @Nullable TraceEdits trace) {
        List<List<Edit>> edits = scenarios.stream()
                .map(scenario -> Edit.parse(scenario).stream()
                        .map(edit -> edit.in(trace))
                        .toList())
                .toList();
        List<WhatIf> results = new ArrayList<>();
        if (edits.isEmpty()) {
            return results;
        }
        Scenarios.Replays replays = new Scenarios(graph, window, ends).new Replays();
        for (int i = 0; i < edits.size(); i++) {
            replays.edit(edits.get(i));
            long changed = replays.changed();
            results.add(new WhatIf(scenarios.get(i), window.name(), window.length(), replays.length(), changed));
        }
        return results;
    }
}
