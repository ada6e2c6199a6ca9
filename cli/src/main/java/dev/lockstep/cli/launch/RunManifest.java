// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.lockstep.cli.launch.RunEnd.Ended;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Secrets;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

    /** Writes the manifest of a run that is going on, or has come to an end. */
    static void write(RunPlan plan, EnvironmentCapture capture, String started, @Nullable RunEnd end)
            throws IOException {
        Path file = LaunchPlaces.file(file(plan));
        String text = text(plan, capture, started, end);
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

    private static String text(RunPlan plan, EnvironmentCapture capture, String started, @Nullable RunEnd end)
            throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeNumberField("schema", SCHEMA);
            json.writeStringField("name", plan.setting().directory().toString());
            json.writeStringField(
                    "status", end == null ? "RUNNING" : end.status().name());
            json.writeStringField("started", started);
            if (end != null) {
                end(json, end);
            }
            what(json, plan);
            map(json, "host", capture.host());
            map(json, "versions", capture.versions());
            variables(json, "inherited_environment", capture.inherited());
            json.writeEndObject();
        }
        return text.append('\n').toString();
    }

    private static void end(JsonGenerator json, RunEnd end) throws IOException {
        json.writeStringField("ended", end.ended().toString());
        json.writeNumberField("duration_s", end.duration().toMillis() / 1000.0);
        json.writeNumberField("exit_code", end.exitCode());
        if (end.reason() != null) {
            json.writeStringField("reason", end.reason());
        }
        json.writeArrayFieldStart("started_processes");
        for (Ended process : end.ranks()) {
            json.writeStartObject();
            if (process.rank() >= 0) {
                json.writeNumberField("rank", process.rank());
            }
            json.writeNumberField("pid", process.pid());
            json.writeNumberField("exit_code", process.exitCode());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void what(JsonGenerator json, RunPlan plan) throws IOException {
        Recipe recipe = plan.recipe();
        json.writeStringField("pipeline", recipe.pipeline().command());
        json.writeStringField("launcher", recipe.launcher().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("processes", recipe.processes());
        if (!recipe.nodes().isAlone()) {
            json.writeObjectFieldStart("nodes");
            json.writeNumberField("count", recipe.nodes().count());
            json.writeNumberField("rank", recipe.nodes().rank());
            json.writeStringField("master", recipe.nodes().master().toString());
            json.writeEndObject();
        }
        json.writeStringField("working_directory", RunProcesses.directory().toString());
        words(json, "command", masked(plan.command()));
        words(json, "command_anywhere", masked(plan.commandAnywhere()));
        words(json, "overrides", masked(plan.overrides().list(plan.directory().toString())));
        Map<String, Optional<String>> environment = new LinkedHashMap<>();
        plan.environment().forEach((name, value) -> environment.put(name, RecordedVariables.value(name, value)));
        variables(json, "environment", environment);
        json.writeStringField("environment_digest", ValueDigest.of(unrecorded(plan.environment())));
        json.writeStringField("config", recipe.config().file().toString());
        json.writeStringField("config_sha256", recipe.config().sha256());
        if (recipe.container() != null) {
            json.writeObjectFieldStart("container");
            json.writeStringField(
                    "compose_file", recipe.container().composeFile().toString());
            json.writeStringField("service", recipe.container().service());
            json.writeEndObject();
        }
    }

    private static void words(JsonGenerator json, String field, List<String> words) throws IOException {
        json.writeArrayFieldStart(field);
        for (String word : words) {
            json.writeString(word);
        }
        json.writeEndArray();
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

    private static void variables(JsonGenerator json, String field, Map<String, Optional<String>> variables)
            throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, Optional<String>> entry : variables.entrySet()) {
            json.writeObjectField(entry.getKey(), entry.getValue().orElse(null));
        }
        json.writeEndObject();
    }

    private static void map(JsonGenerator json, String field, Map<String, String> map) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, String> entry : map.entrySet()) {
            json.writeStringField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }
}
