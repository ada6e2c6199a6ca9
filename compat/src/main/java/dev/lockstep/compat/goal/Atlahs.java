// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.dialect.Dialect;
import java.util.List;

/** ATLAHS's generator of schedules, the reference. */
public final class Atlahs implements Dialect {
    @Override
    public String name() {
        return "reference";
    }

    @Override
    public List<Object> parts() {
        return List.of(new ReferenceGoalRules());
    }
}
