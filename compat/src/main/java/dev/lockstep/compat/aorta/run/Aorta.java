// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.dialect.Dialect;
import java.util.List;

/** The scripts of AORTA: whole runs and sweeps, with TraceLens's reports as of December 2025. */
public final class Aorta implements Dialect {
    @Override
    public String name() {
        return "aorta";
    }

    @Override
    public List<Object> parts() {
        return List.of(new AortaComparison());
    }
}
