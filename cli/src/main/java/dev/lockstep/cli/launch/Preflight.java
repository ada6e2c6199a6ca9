// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What can be known to fail before anything is started.
 *
 * @param again what to do with runs whose folders are there
 */
record Preflight(SweepPlan plan, Again again) {
    private static final Duration PROBE = Duration.ofSeconds(30);

    /** @throws UserException if a program or script is missing */
    void demandPrograms() {
        if (plan.recipe().container() != null) {
            demandEngine(plan.recipe().container());
            return;
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

    /** @throws UserException unless every folder is free or holds what is asked for */
    void demandFolders() {
        Problems problems = new Problems();
        List<String> there = new ArrayList<>();
        for (RunPlan run : plan.runs()) {
            if (!new RunDirectory(run.directory()).exists()) {
                continue;
            }
            if (again == Again.REFUSE) {
                there.add(run.directory().toString());
            } else if (again == Again.RESUME) {
                RunManifest.finished(run.directory())
                        .map(manifest -> manifest.differences(run))
                        .ifPresent(differences -> {
                            if (!differences.isEmpty()) {
                                problems.add(run.directory() + " was finished with other settings: "
                                        + String.join(", ", differences) + "; use another --output");
                            }
                        });
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

    private static void demandEngine(Container container) {
        if (!Files.isRegularFile(container.composeFile())) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    "there is no compose file " + container.composeFile(),
                    "--compose-file names it; templates lie in the folder docker of Lockstep");
        }
        if (Programs.run(Container.probe(), PROBE).isEmpty()) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    "there is no engine for containers: 'docker compose version' fails",
                    "install Docker with Compose 2, or leave --container out and run inside the container");
        }
    }
}
