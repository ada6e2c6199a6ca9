// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.SettingsFile;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerRules;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that say what is asked of a table of operations. */
final class StragglerArguments {
    private @Nullable Path table;
    private @Nullable Path meta;
    private List<StragglerOptions.Range> steps = List.of();
    private double threshold = StragglerOptions.THRESHOLD;
    private StragglerRules.@Nullable Ideal ideal;
    private boolean recover;

    void declare(Arguments arguments) {
        arguments.option(
                "--table", "FILE", Path.class, "Operations of a job of pipelines, as Parquet.", given -> table = given);
        arguments.option(
                "--steps",
                "STEPS",
                String.class,
                "Only these steps, as in 23,33-100.",
                given -> steps = StragglerOptions.ranges(given));
        arguments.option(
                "--decompose-threshold",
                "S",
                Double.class,
                "Take a slowdown apart from here on (default: 1.03).",
                this::threshold);
        arguments.option(
                "--ideal",
                "WHOSE",
                StragglerRules.Ideal.class,
                "Typical are the durations of a stage (role, the default), of all stages, or of its fastest worker.",
                given -> ideal = given);
        arguments.option(
                "--meta",
                "FILE",
                Path.class,
                "What the job was, as YAML: " + String.join(", ", StragglerJson.META) + ".",
                given -> meta = given);
        arguments.flag(
                "--recover-roles",
                "Find out stage, data-parallel rank, chunk and micro-batch from times alone, and say whether the table"
                        + " agrees.",
                () -> recover = true);
    }

    /** The table, or null when none was named. */
    @Nullable
    Path table() {
        return table;
    }

    boolean recover() {
        return recover;
    }

    /** What must not be overwritten. */
    List<Path> inputs(Path source) {
        return meta == null ? List.of(source) : List.of(source, meta);
    }

    /**
     * What is asked.
     *
     * @param job what is known about it
     * @param partial whether steps that lack operations are left out
     * @param fixed whether another tool says whose durations are typical
     */
    StragglerOptions options(Map<String, Object> job, boolean partial, boolean fixed) {
        if (fixed && ideal != null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--ideal is fixed under --compat wia: all stages together",
                    "Leave one of them out.");
        }
        int factor = job.get("dsp_size") instanceof Integer known ? known : 1;
        return new StragglerOptions(
                steps, threshold, ideal == null ? StragglerRules.Ideal.ROLE : ideal, partial, factor);
    }

    /** What is asked of traces: whose durations are typical, and from where on a slowdown is a problem. */
    StragglerOptions forTraces() {
        if (!steps.isEmpty() || meta != null || recover || ideal == StragglerRules.Ideal.ALL) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--steps, --meta, --recover-roles and --ideal all are about tables, not traces",
                    "Leave them out, or give --table.");
        }
        return options(Map.of(), false, false);
    }

    /** What the user says about the job. */
    Map<String, Object> job() {
        Path from = meta;
        Map<String, Object> job = new HashMap<>();
        if (from == null) {
            return job;
        }
        String hint = "--meta FILE holds lines like dsp_size: 2.";
        String text = SettingsFile.text(from, SettingsFile.bytes(from, hint));
        if (!(SettingsFile.yaml(from.toString(), text, ErrorCode.FORMAT_CORRUPT, hint) instanceof Map<?, ?> settings)) {
            throw new UserException(ErrorCode.FORMAT_CORRUPT, from + ": expected names and values", hint);
        }
        for (String name : StragglerJson.META) {
            Object given = settings.get(name);
            if (given == null) {
                continue;
            }
            if (name.endsWith("_size") && !(given instanceof Integer number && number > 0)) {
                throw new UserException(
                        ErrorCode.FORMAT_CORRUPT, from + ": " + name + " must be a positive whole number", hint);
            }
            job.put(name, given);
        }
        return job;
    }

    private void threshold(double given) {
        if (!Double.isFinite(given)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--decompose-threshold " + given + " is no slowdown", null);
        }
        threshold = given;
    }
}
