// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.codec.Secrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A service of a compose file in which trainers run; each run gets a container of its own, so that ending it ends
 * nothing else.
 *
 * @param composeFile describes the service
 * @param service its name there
 */
public record Container(Path composeFile, String service) {
    /** The compose file of the templates. */
    public static final Path COMPOSE_FILE = Path.of("docker", "docker-compose.yaml");

    private List<String> compose() {
        return List.of("docker", "compose", "-f", composeFile.toString());
    }

    /** The command line that runs the command in a container of this name. */
    List<String> around(List<String> command, Map<String, String> environment, String name) {
        List<String> line = new ArrayList<>(compose());
        line.addAll(List.of("run", "--rm", "--no-deps", "-T", "--name", name));
        environment.forEach((key, value) -> line.addAll(List.of("-e", isSecret(key) ? key : key + "=" + value)));
        line.add(service);
        line.addAll(command);
        return line;
    }

    /** Variables whose values the engine takes from its own environment, since command lines are seen by everybody. */
    static Map<String, String> secrets(Map<String, String> environment) {
        Map<String, String> secrets = new LinkedHashMap<>(environment);
        secrets.keySet().removeIf(key -> !isSecret(key));
        return secrets;
    }

    private static boolean isSecret(String key) {
        return Secrets.isSecretName(key);
    }

    /** Says whether there is an engine that understands compose files. */
    static List<String> probe() {
        return List.of("docker", "compose", "version");
    }

    /** Asks for the name of the service's image. */
    List<String> image() {
        List<String> line = new ArrayList<>(compose());
        line.addAll(List.of("config", "--images", service));
        return line;
    }

    /** Ends the container of this name. */
    static List<String> stop(String name, long graceSeconds) {
        return List.of("docker", "stop", "-t", Long.toString(graceSeconds), name);
    }
}
