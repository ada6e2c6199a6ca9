// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compare.configurations.StoredConfiguration;
import dev.lockstep.compare.configurations.StoredConfiguration.Scope;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.tabular.SheetTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Configurations to compare, the baseline first.
 *
 * @param configurations where they lie
 * @param labels what each is called
 */
record ConfigInputs(List<Configuration> configurations, List<String> labels) {
    int size() {
        return configurations.size();
    }

    /** The status that follows from what was there: damage is a failure if asked for, gaps make the result partial. */
    static int status(GlobalOptions global, Coverage coverage, boolean complete) {
        boolean damaged = coverage.gaps().stream().anyMatch(part -> part.state() != State.MISSING);
        return global.strict() && damaged ? ExitStatus.UNREADABLE : global.status(complete && coverage.isComplete());
    }

    /** Their finished reports, without ranks of which a part is missing. */
    List<StoredConfiguration> read(SheetTable cells, boolean timelines, boolean collectives, Predicate<String> sheets) {
        Scope scope = new Scope(timelines, collectives, sheets, true);
        List<StoredConfiguration> read = new ArrayList<>();
        for (int i = 0; i < configurations.size(); i++) {
            read.add(StoredConfiguration.read(configurations.get(i), labels.get(i), cells, scope));
        }
        return read;
    }
}
