// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.synth.GlooRecipe;
import dev.lockstep.synth.GlooRun;
import dev.lockstep.synth.HangRecipe;
import dev.lockstep.synth.HangRun;
import dev.lockstep.synth.InspectorRecipe;
import dev.lockstep.synth.InspectorRun;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.RunTruth;
import dev.lockstep.synth.SweepTruth;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Workers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** {@code lockstep synth}: traces of a training run that never took place, with the truth about it beside them. */
public final class SynthCommand implements Command {
    private static final String TRACE_NAME = "trace.json";

    /** How the files are laid out. */
    enum Arrangement {
        FLAT,
        TORCH_PROFILER
    }

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path directory;

    private final RecipeArguments job = new RecipeArguments();
    private boolean gzip;
    private String layout = "flat";
    private @Nullable String sweep;
    private final HangArguments hang = new HangArguments();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep synth -o run --ranks 8 --straggler 3:device:1.2",
                "lockstep synth -o sweep --sweep 256,512x28,42",
                "lockstep synth -o gloo --gloo cpu --ranks 4 --straggler 2:forward:30000",
                "lockstep synth -o dumps --hang skipped --ranks 64",
                "lockstep synth -o logs --inspector slow-nic --ranks 64");
        global = arguments.global();
        arguments.required("-o,--output", "DIR", Path.class, "Where the traces go.", given -> directory = given);
        arguments.writes("-o");
        job.declare(arguments);
        arguments.flag("--gz", "Pack the traces with gzip.", () -> gzip = true);
        arguments.option(
                "--layout", "NAME", String.class, "flat or torch-profiler (default flat).", given -> layout = given);
        arguments.option(
                "--sweep",
                "T,..xC,..",
                String.class,
                "A run for every pair of threads and channels, as in 256,512x28,42,56.",
                given -> sweep = given);
        hang.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(global.jobs());
        try {
            HangRecipe hanging = hang.recipe(job);
            if (hanging != null) {
                HangRun.Truth truth = HangRun.write(directory, hanging, Workers.of(pool));
                say(out, hanging.ranks() + " ranks, culprits " + truth.culprits());
                say(out, "wrote " + directory + " with the truth in " + SyntheticRun.TRUTH_FILE);
                return ExitStatus.COMPLETE;
            }
            InspectorRecipe links = hang.links(job);
            if (links != null) {
                InspectorRun.Truth truth = InspectorRun.write(directory, links, Workers.of(pool));
                say(out, links.ranks() + " ranks, " + truth.kind() + " " + truth.ranks());
                say(out, "wrote " + directory + " with the truth in " + SyntheticRun.TRUTH_FILE);
                return ExitStatus.COMPLETE;
            }
            Layout files = arrange();
            GlooRecipe gloo = job.gloo();
            if (gloo != null) {
                gloo(out, gloo, files);
                return ExitStatus.COMPLETE;
            }
            TraceRecipe recipe = job.recipe();
            if (sweep == null) {
                RunTruth truth = SyntheticRun.write(directory, recipe, files, Workers.of(pool));
                say(out, truth.ranks().size() + " ranks, mean step " + truth.meanStepNanos() / 1000 + " µs");
            } else {
                SweepTruth truth =
                        SyntheticSweep.write(directory, RecipeArguments.sweep(recipe, sweep), files, Workers.of(pool));
                say(
                        out,
                        truth.runs().size() + " configurations; fastest: "
                                + truth.ranking().getFirst().directory());
            }
            say(out, "wrote " + directory + " with the truth in " + SyntheticRun.TRUTH_FILE);
            return ExitStatus.COMPLETE;
        } catch (IllegalArgumentException e) {
            throw new UserException(ErrorCode.OPTION_INVALID, String.valueOf(e.getMessage()), null, e);
        } finally {
            pool.shutdown();
        }
    }

    private void gloo(PrintWriter out, GlooRecipe recipe, Layout files) throws IOException {
        if (sweep != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--gloo and --sweep cannot be used together", null);
        }
        GlooRun.Truth truth = GlooRun.write(directory, recipe, files);
        say(
                out,
                recipe.ranks() + " ranks over gloo, " + truth.runNanos() / 1000 + " µs; without slow ranks "
                        + truth.withoutSlowNanos() / 1000 + " µs");
        say(out, "wrote " + directory + " with the truth in " + SyntheticRun.TRUTH_FILE);
    }

    private void say(PrintWriter out, String text) {
        if (!global.quiet()) {
            out.println(text);
        }
    }

    private Layout arrange() {
        Layout files = switch (arrangement()) {
            case FLAT -> Layout.flat();
            case TORCH_PROFILER -> Layout.torchProfiler(TRACE_NAME);
        };
        return gzip ? files.gzip() : files;
    }

    private Arrangement arrangement() {
        if (sweep != null) {
            return Arrangement.TORCH_PROFILER;
        }
        return switch (layout) {
            case "flat" -> Arrangement.FLAT;
            case "torch-profiler" -> Arrangement.TORCH_PROFILER;
            default ->
                throw new UserException(
                        ErrorCode.OPTION_INVALID, "unknown layout: " + layout, "known: flat, torch-profiler");
        };
    }
}
