// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The workflow and the action, step by step as a runner would take them; steps of others are left out. */
class GateActionTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private Map<?, ?> action;

    @Test
    void everyStepOfTheWorkflowRuns() throws Exception {
        action = yaml("action.yml");
        Map<?, ?> job =
                (Map<?, ?>) ((Map<?, ?>) yaml(".github/workflows/gate.yml").get("jobs")).get("gate");
        program();
        for (Object one : (List<?>) job.get("steps")) {
            Map<?, ?> step = (Map<?, ?>) one;
            if (step.containsKey("run")) {
                assertThat(run((String) step.get("run"), Map.of())).isZero();
            } else if ("./".equals(step.get("uses"))) {
                assertThat(act((Map<?, ?>) step.get("with"))).isZero();
            } else {
                assertThat((String) step.get("uses")).as("pinned to a commit").matches("[\\w-]+/[\\w-]+@[0-9a-f]{40}");
            }
        }
        assertThat(folder.resolve("summary")).content().contains("### Lockstep gate:", "`step_time`");
        assertThat(folder.resolve("output")).hasContent("status=0\n");
        assertThat(folder.resolve("history")).isNotEmptyDirectory();

        assertThat(act(Map.of("command", "./lockstep", "baseline", "baseline/1", "candidate", "$(id>PWNED)")))
                .isEqualTo(3);
        assertThat(folder.resolve("PWNED")).doesNotExist();
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        return (Map<?, ?>) new Yaml().load(Files.readString(ROOT.resolve(file)));
    }

    /** What `./lockstep` is in these steps: this build. */
    private void program() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        Path program = Files.writeString(
                folder.resolve("lockstep"),
                "#!/bin/sh\nexec '" + java + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + System.getProperty("path.separator")
                        + System.getProperty("jdk.module.path", "") + "' dev.lockstep.cli.Main \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int act(Map<?, ?> with) throws Exception {
        Map<String, String> inputs = new HashMap<>();
        ((Map<?, ?>) action.get("inputs")).forEach((name, input) -> {
            Object given = with.get(name);
            Object usual = ((Map<?, ?>) input).get("default");
            assertThat(given != null || usual != null).as(name + " is given").isTrue();
            inputs.put("${{ inputs." + name + " }}", String.valueOf(given != null ? given : usual));
        });
        int status = 0;
        for (Object one : (List<?>) ((Map<?, ?>) action.get("runs")).get("steps")) {
            Map<?, ?> step = (Map<?, ?>) one;
            Map<String, String> environment = new HashMap<>();
            ((Map<?, ?>) step.get("env"))
                    .forEach((name, value) -> environment.put((String) name, inputs.get((String) value)));
            assertThat((String) step.get("run"))
                    .as("inputs come by the environment")
                    .doesNotContain("${{");
            status = run((String) step.get("run"), environment);
        }
        return status;
    }

    private int run(String script, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
                .directory(folder.toFile());
        builder.environment().putAll(environment);
        builder.environment()
                .put("GITHUB_STEP_SUMMARY", folder.resolve("summary").toString());
        builder.environment().put("GITHUB_OUTPUT", folder.resolve("output").toString());
        return builder.inheritIO().start().waitFor();
    }
}
