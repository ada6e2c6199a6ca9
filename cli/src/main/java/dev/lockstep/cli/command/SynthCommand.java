// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.RunTruth;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SweepTruth;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.synth.Workers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep synth}: traces of a training run that never took place, with the truth about it beside them. */
@Command
public final class SynthCommand implements Callable<Integer> {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(?:\\s*([kKmMgG])[bB]?|[bB]?)");
    private static final String TRACE_NAME = "trace.json";

    /** How the files are laid out. */
    enum Arrangement {
        FLAT,
        TORCH_PROFILER
    }

    @Spec
    private CommandSpec command;

    @Mixin
    private GlobalOptions global;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "Where the traces go.")
    private Path directory;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of every random choice (default 1).")
    private @Nullable Long seed;

    @Option(names = "--vendor", paramLabel = "NAME", description = "cuda or rocm (default cuda).")
    private @Nullable Vendor vendor;

    @Option(names = "--ranks", paramLabel = "N", description = "Ranks of the run (default 8).")
    private @Nullable Integer ranks;

    @Option(names = "--gpus-per-node", paramLabel = "N", description = "Devices of a host (default 8).")
    private @Nullable Integer gpusPerNode;

    @Option(names = "--steps", paramLabel = "N", description = "Training steps (default 4).")
    private @Nullable Integer steps;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "As many steps as make each file about this large, e.g. 600MB.")
    private @Nullable String size;

    @Option(names = "--layers", paramLabel = "N", description = "Layers of the transformer (default 8).")
    private @Nullable Integer layers;

    @Option(names = "--hidden", paramLabel = "N", description = "Width of the transformer (default 2048).")
    private @Nullable Integer hidden;

    @Option(
            names = "--straggler",
            paramLabel = "R",
            description = "The rank whose kernels are slow; -1 for none (default 3).")
    private @Nullable Integer straggler;

    @Option(names = "--slowdown", paramLabel = "F", description = "How much slower (default 1.15).")
    private @Nullable Double slowdown;

    @Option(names = "--clock-offset", paramLabel = "US", description = "Clocks differ by up to this (default 500).")
    private @Nullable Double clockOffset;

    @Option(names = "--clock-drift", paramLabel = "PPM", description = "Clocks drift by up to this (default 0).")
    private @Nullable Double clockDrift;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of a collective kernel (default 512).")
    private @Nullable Integer threads;

    @Option(names = "--channels", paramLabel = "N", description = "Channels of a collective (default 32).")
    private @Nullable Integer channels;

    @Option(names = "--python-stacks", description = "Record frames of the Python stack, too.")
    private boolean pythonStacks;

    @Option(names = "--launch-bound", description = "A slow host: the device runs dry.")
    private boolean launchBound;

    @Option(names = "--gz", description = "Pack the traces with gzip.")
    private boolean gzip;

    @Option(
            names = "--layout",
            paramLabel = "NAME",
            defaultValue = "flat",
            description = "flat or torch-profiler (default flat).")
    private String layout;

    @Option(
            names = "--sweep",
            paramLabel = "T,..xC,..",
            description = "A run for every pair of threads and channels, as in 256,512x28,42,56.")
    private @Nullable String sweep;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = command.commandLine().getOut();
        ExecutorService pool = Executors.newFixedThreadPool(global.jobs());
        try {
            Layout files = arrange();
            TraceRecipe recipe = recipe();
            if (sweep == null) {
                RunTruth truth = SyntheticRun.write(directory, recipe, files, Workers.of(pool));
                say(out, truth.ranks().size() + " ranks, mean step " + truth.meanStepNanos() / 1000 + " us");
            } else {
                SweepTruth truth = SyntheticSweep.write(directory, plan(recipe, sweep), files, Workers.of(pool));
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

    private TraceRecipe recipe() {
        TraceRecipe r = TraceRecipe.standard();
        r = vendor == null ? r : r.withVendor(vendor);
        r = ranks == null ? r : r.withRanks(ranks);
        r = seed == null ? r : r.withSeed(seed);
        r = gpusPerNode == null ? r : r.withGpusPerNode(gpusPerNode);
        r = layers == null ? r : r.withLayers(layers);
        r = hidden == null ? r : r.withHidden(hidden);
        r = steps == null ? r : r.withSteps(steps);
        r = size == null ? r : r.withBytesPerRank(bytes(size));
        if (straggler != null || slowdown != null) {
            int who = straggler == null ? r.disturbance().stragglerRank() : straggler;
            double factor =
                    slowdown == null ? TraceRecipe.standard().disturbance().slowdown() : slowdown;
            r = r.withStraggler(who, who < 0 ? 1 : factor);
        }
        if (clockOffset != null || clockDrift != null) {
            r = r.withClocks(
                    clockOffset == null ? r.disturbance().maxClockOffsetNanos() : Math.round(clockOffset * 1000),
                    clockDrift == null ? 0 : clockDrift);
        }
        if (threads != null || channels != null) {
            r = r.withCommunication(
                    threads == null ? r.communication().threads() : threads,
                    channels == null ? r.communication().channels() : channels);
        }
        r = pythonStacks ? r.withPythonStacks(true) : r;
        return launchBound ? r.launchBound() : r;
    }

    private static SweepRecipe plan(TraceRecipe recipe, String pairs) {
        String[] sides = pairs.split("x", -1);
        if (sides.length != 2) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--sweep wants THREADS,..xCHANNELS,..: " + pairs, null);
        }
        return SweepRecipe.grid(recipe, numbers(sides[0]), numbers(sides[1]));
    }

    private static List<Integer> numbers(String list) {
        try {
            return Arrays.stream(list.split(","))
                    .map(n -> Integer.valueOf(n.strip()))
                    .toList();
        } catch (NumberFormatException e) {
            throw new UserException(ErrorCode.OPTION_INVALID, "not a list of numbers: " + list, null, e);
        }
    }

    private static long bytes(String text) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (!matcher.matches()) {
            throw new UserException(ErrorCode.OPTION_INVALID, "not a size: " + text, "as in 600MB or 2GB");
        }
        long factor = switch (matcher.group(2) == null ? "" : matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 1_000;
            case "m" -> 1_000_000;
            case "g" -> 1_000_000_000;
            default -> 1;
        };
        return Long.parseLong(matcher.group(1)) * factor;
    }
}
