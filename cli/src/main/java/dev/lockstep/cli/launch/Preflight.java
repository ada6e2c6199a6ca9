// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What can be known to fail before anything is started.
 *
 * @param again what to do with runs whose folders are there
 */
record Preflight(SweepPlan plan, Again again) {
    /** @throws UserException if a program or script is missing */
    void demandPrograms() {
        if (plan.recipe().container() != null) {
            return; // the engine was asked when the container was made ready
        }
        String program = plan.runs().getFirst().program();
        if (!Programs.isThere(program)) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    "there is no program " + program + " on the PATH",
                    "activate the environment that has it; --launcher direct needs no torchrun");
        }
        String script = plan.recipe().command().script();
        if (script != null && !Files.exists(Path.of(script))) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    "there is no script " + script,
                    "name the trainer behind --, as in -- examples/ddp/train.py");
        }
    }

    /** @throws UserException unless every folder is free or holds what is asked for, and lies in that of the launch */
    void demandFolders() throws IOException {
        Problems problems = new Problems();
        List<String> there = new ArrayList<>();
        for (RunPlan run : plan.runs()) {
            RunDirectory directory = RunDirectory.of(run);
            if (!directory.exists()) {
                directory.demandPlaces(plan.base());
                continue;
            }
            if (again == Again.REFUSE) {
                there.add(run.directory().toString());
            } else if (again == Again.RESUME) {
                demandResumable(run, problems);
            }
        }
        if (!there.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    there.size() == 1
                            ? there.getFirst() + " is there already"
                            : there.getFirst() + " and " + (there.size() - 1) + " other folders are there already",
                    "--resume runs what is not finished, --skip-existing what has no folder, --output goes elsewhere");
        }
        problems.check();
    }

    private void demandResumable(RunPlan run, Problems problems) throws IOException {
        Optional<RunManifest> finished = RunManifest.finished(run);
        if (finished.isPresent()) {
            List<String> differences = finished.get().differences(run);
            if (!differences.isEmpty()) {
                problems.add(run.directory() + " was finished with other settings: " + String.join(", ", differences)
                        + "; use another --output");
            }
        } else if (run.recipe().nodes().isAlone()) {
            RunDirectory.of(run).demandPlaces(plan.base());
        } else {
            problems.add(run.directory() + " was begun by this node and not finished: it is shared by nodes, so that"
                    + " nothing is put aside; remove it, or use another --output");
        }
    }
}
