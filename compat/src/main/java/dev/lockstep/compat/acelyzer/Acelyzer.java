// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.acelyzer;

import dev.lockstep.dialect.Dialect;
import java.util.List;

/** IBM's AIU Trace Analyzer. */
public final class Acelyzer implements Dialect {
    @Override
    public String name() {
        return "acelyzer";
    }

    @Override
    public List<Object> parts() {
        return List.of(AcelyzerRules.RULES);
    }
}
