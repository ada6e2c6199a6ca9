// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.codec.Secrets;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A service of a compose file in which trainers run; each run gets a container of its own, so that ending it ends
 * nothing else.
 *
 * @param composeFile describes the service
 * @param service its name there
 * @param engine the words that begin every command: of Compose 2, or of the program that came before it
 * @param folder where the trainer is started, as the container sees it; null for the service's own
 */
public record Container(
        Path composeFile,
        String service,
        List<String> engine,
        @Nullable String folder) {
    /** The compose file of the templates. */
    public static final Path COMPOSE_FILE = Path.of("docker", "docker-compose.yaml");

    private static final List<List<String>> ENGINES = List.of(List.of("docker", "compose"), List.of("docker-compose"));
    private static final Duration PROBE = Duration.ofSeconds(30);

    /** A service, before anybody has asked what engine there is and what the service sees. */
    public Container(Path composeFile, String service) {
        this(composeFile, service, ENGINES.getFirst(), null);
    }

    /**
     * The same with the engine that is there, started where the service sees this folder.
     *
     * @throws UserException if there is no engine or no such file or service, or the service sees this folder nowhere
     */
    public Container ready() {
        if (!Files.isRegularFile(composeFile)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    "there is no compose file " + composeFile,
                    "--compose-file names it; templates lie in the folder docker of Lockstep");
        }
        List<String> found = ENGINES.stream()
                .filter(words -> Programs.run(with(words, "version"), PROBE).isPresent())
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "there is no engine for containers: 'docker compose version' fails, 'docker-compose version'"
                                + " too",
                        "install Docker with Compose, or leave --container out and run inside the container"));
        Container container = new Container(composeFile, service, found, null);
        String seen = Programs.run(container.compose("config"), PROBE)
                .map(text -> new Mounts(this, text).folder(RunProcesses.directory()))
                .orElse("");
        return new Container(composeFile, service, found, seen.isEmpty() ? null : seen);
    }

    private static List<String> with(List<String> words, String more) {
        List<String> line = new ArrayList<>(words);
        line.add(more);
        return line;
    }

    private List<String> compose(String... more) {
        List<String> line = new ArrayList<>(engine);
        line.addAll(List.of("-f", composeFile.toString()));
        line.addAll(List.of(more));
        return line;
    }

    /** The command line that runs the command in a container of this name. */
    List<String> around(List<String> command, Map<String, String> environment, String name) {
        List<String> line = compose("run", "--rm", "--no-deps", "-T", "--name", name);
        if (folder != null) {
            line.addAll(List.of("-w", folder));
        }
        environment.forEach((key, value) -> line.addAll(List.of("-e", isSecret(key, value) ? key : key + "=" + value)));
        line.add(service);
        line.addAll(command);
        return line;
    }

    /** Variables whose values the engine takes from its own environment, since command lines are seen by everybody. */
    static Map<String, String> secrets(Map<String, String> environment) {
        Map<String, String> secrets = new LinkedHashMap<>(environment);
        secrets.entrySet().removeIf(variable -> !isSecret(variable.getKey(), variable.getValue()));
        return secrets;
    }

    /** Whether the name or anything in the value says so. */
    private static boolean isSecret(String key, String value) {
        return Secrets.isSecretName(key) || !new Secrets().text(value).equals(value);
    }

    /** Asks the engine for its version. */
    List<String> version() {
        return with(engine, "version");
    }

    /** Asks for the name of the service's image; Compose 1 cannot tell. */
    List<String> image() {
        return compose("config", "--images", service);
    }

    /** Ends the container of this name. */
    static List<String> stop(String name, long graceSeconds) {
        return List.of("docker", "stop", "-t", Long.toString(graceSeconds), name);
    }
}
