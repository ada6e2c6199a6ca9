// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.export;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.replay.plan.PlanFile;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.Scripts;
import java.io.IOException;
import java.nio.file.Path;

/** A plan as one Python script, which needs PyTorch and nothing else. */
public final class PythonExport {
    private PythonExport() {}

    /** Writes the script. */
    public static void write(ReplayPlan plan, Path file) throws IOException {
        String script = Templates.text("replay.py")
                .replace("@SCRIPTS@", new Scripts().text())
                .replace("@MEANINGS@", Templates.meanings())
                .replace("@PLAN@", Templates.quotable(PlanFile.text(plan)));
        NamedFiles.write(file, script);
    }
}
