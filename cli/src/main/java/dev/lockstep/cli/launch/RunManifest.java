// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.codec.Secrets;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is written down about a run, beside its log: what was started, on what, and how it ended. The schema stands in
 * {@code docs/reference/run-manifest.md}.
 */
final class RunManifest {
    static final String FILE = "lockstep_run.json";
    private static final int SCHEMA = 1;

    private final Json.Members content;

    private RunManifest(Json.Members content) {
        this.content = content;
    }

    /** A manifest, if there is one that can be read. */
    private static Optional<RunManifest> read(Path file) {
        try {
            return Json.parse(NamedFiles.bytes(file)) instanceof Json.Members content
                    ? Optional.of(new RunManifest(content))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The manifest of a run that has succeeded, if that is what the folder holds. */
    static Optional<RunManifest> finished(RunPlan run) {
        return read(file(run)).filter(RunManifest::isFinished);
    }

    private static Path file(RunPlan run) {
        return run.directory().resolve(run.recipe().nodes().own(FILE));
    }

    private boolean isFinished() {
        return RunStatus.SUCCESS.name().equals(content.text("status"));
    }

    Duration duration() {
        return Duration.ofMillis(Math.round(content.number("duration_s") * 1000));
    }

    /** What would be different if the plan were run; empty if it is what was run. */
    List<String> differences(RunPlan plan) {
        List<String> differences = new ArrayList<>();
        Json.Members recorded = content.object("environment");
        Set<String> before = recorded.members().keySet();
        Map<String, String> now = plan.environment();
        Map<String, String> unrecorded = unrecorded(now);
        now.forEach((name, value) -> {
            String is = RecordedVariables.value(name, value).orElse(null);
            if (!before.contains(name)) {
                differences.add(name + " was unset" + (is == null ? "" : " and is " + is));
                unrecorded.remove(name);
            } else if (!Objects.equals(recorded.text(name), is)) {
                differences.add(name + " was " + recorded.text(name) + " and is " + is);
            }
        });
        before.forEach(name -> {
            if (!now.containsKey(name)) {
                differences.add(
                        name + " was " + Objects.requireNonNullElse(recorded.text(name), "set") + " and is unset");
            }
        });
        boolean same = before.stream()
                .filter(name -> !now.containsKey(name))
                .allMatch(name -> RecordedVariables.isRecorded(name) || Secrets.isSecretName(name));
        if (same && !ValueDigest.fits(Objects.toString(content.text("environment_digest"), ""), unrecorded)) {
            differences.add(String.join(" or ", unrecorded.keySet()) + " has another value");
        }
        List<Json> command = masked(plan.commandAnywhere()).stream()
                .<Json>map(Json.Text::new)
                .toList();
        if (!command.equals(content.items("command_anywhere"))
                || plan.recipe().processes() != content.whole("processes", -1)) {
            differences.add("the command is another one");
        }
        if (!Objects.equals(plan.recipe().config().sha256(), content.text("config_sha256"))) {
            differences.add("the configuration file has changed");
        }
        return differences;
    }

    /**
     * What a manifest says of a run from its beginning to its end.
     *
     * @param environmentDigest of values that are not written down
     */
    record Begin(Instant started, String environmentDigest) {
        /** Now. The digest is slow on purpose. */
        static Begin of(RunPlan plan) {
            return new Begin(Instant.now(), ValueDigest.of(unrecorded(plan.environment())));
        }
    }

    /** Writes the manifest of a run that is going on, or has come to an end. */
    static void write(RunPlan plan, EnvironmentCapture capture, Begin begin, @Nullable RunEnd end) throws IOException {
        Path file = LaunchPlaces.file(file(plan));
        String text = text(plan, capture, begin, end);
        try (Output output = new Output()) {
            OwnerOnly.write(output.file(file), text);
            output.commit();
        } catch (IOException | UserException e) {
            if (!Files.exists(file)) {
                throw e;
            }
            NamedFiles.write(file, text); // on a full disk there is still the room of the one before
        }
    }

    private static String text(RunPlan plan, EnvironmentCapture capture, Begin begin, @Nullable RunEnd end)
            throws IOException {
        JsonObject json = new JsonObject()
                .with("schema", SCHEMA)
                .with("name", plan.setting().directory().toString())
                .with("status", end == null ? "RUNNING" : end.status().name())
                .with("started", begin.started().toString());
        if (end != null) {
            end(json, end);
        }
        what(json, plan, begin);
        json.with("host", capture.host())
                .with("versions", capture.versions())
                .with("inherited_environment", values(capture.inherited()));
        StringWriter text = new StringWriter();
        JsonOut.pretty(json, text);
        return text.append('\n').toString();
    }

    private static void end(JsonObject json, RunEnd end) {
        json.with("ended", end.ended().toString())
                .with("duration_s", end.duration().toMillis() / 1000.0)
                .with("exit_code", end.exitCode())
                .withKnown("reason", end.reason())
                .with(
                        "started_processes",
                        end.ranks().stream()
                                .map(process -> new JsonObject()
                                        .withKnown("rank", process.rank())
                                        .with("pid", process.pid())
                                        .with("exit_code", process.exitCode()))
                                .toList());
    }

    private static void what(JsonObject json, RunPlan plan, Begin begin) {
        Recipe recipe = plan.recipe();
        json.with("pipeline", recipe.pipeline().command())
                .with("launcher", recipe.launcher().name().toLowerCase(Locale.ROOT))
                .with("processes", recipe.processes());
        if (!recipe.nodes().isAlone()) {
            json.with(
                    "nodes",
                    new JsonObject()
                            .with("count", recipe.nodes().count())
                            .with("rank", recipe.nodes().rank())
                            .with("master", recipe.nodes().master().toString()));
        }
        Map<String, Optional<String>> environment = new LinkedHashMap<>();
        plan.environment().forEach((name, value) -> environment.put(name, RecordedVariables.value(name, value)));
        json.with("working_directory", RunProcesses.directory().toString())
                .with("command", masked(plan.command()))
                .with("command_anywhere", masked(plan.commandAnywhere()))
                .with("overrides", masked(plan.overrides().list(plan.directory().toString())))
                .with("environment", values(environment))
                .with("environment_digest", begin.environmentDigest())
                .with("config", recipe.config().file().toString())
                .with("config_sha256", recipe.config().sha256());
        if (recipe.container() != null) {
            json.with(
                    "container",
                    new JsonObject()
                            .with(
                                    "compose_file",
                                    recipe.container().composeFile().toString())
                            .with("service", recipe.container().service()));
        }
    }

    private static JsonObject values(Map<String, Optional<String>> variables) {
        JsonObject json = new JsonObject();
        variables.forEach((name, value) -> json.with(name, value.orElse(null)));
        return json;
    }

    private static List<String> masked(List<String> words) {
        return new Secrets().words(words);
    }

    /** Variables of whose values nothing is written down but their digest; of secrets not even that. */
    private static Map<String, String> unrecorded(Map<String, String> environment) {
        Map<String, String> some = new LinkedHashMap<>();
        environment.forEach((name, value) -> {
            if (!RecordedVariables.isRecorded(name) && !Secrets.isSecretName(name)) {
                some.put(name, value);
            }
        });
        return some;
    }
}
