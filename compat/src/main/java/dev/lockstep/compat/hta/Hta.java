// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.dialect.Dialect;
import java.util.List;

/** Meta's Holistic Trace Analysis. */
public final class Hta implements Dialect {
    @Override
    public String name() {
        return "hta";
    }

    @Override
    public List<Object> parts() {
        return List.of(new HtaReport(), new HtaSheets(false), new HtaOverlay());
    }
}
