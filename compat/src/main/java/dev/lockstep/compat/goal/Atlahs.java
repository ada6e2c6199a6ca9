// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.dialect.Dialect;
import dev.lockstep.goal.model.SimulationRules;
import java.util.List;

/** ATLAHS, the reference: its generator of schedules, and LogGOPSim, which simulates them. */
public final class Atlahs implements Dialect {
    @Override
    public String name() {
        return "reference";
    }

    @Override
    public List<Object> parts() {
        return List.of(new ReferenceGoalRules(), SimulationRules.LOGGOPSIM);
    }
}
