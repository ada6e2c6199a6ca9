// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep synth} that say what job runs, and what disturbs it. */
final class RecipeArguments {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(?:\\s*([kKmMgG])[bB]?|[bB]?)");

    private @Nullable Long seed;
    private @Nullable Vendor vendor;
    private @Nullable Integer ranks;
    private @Nullable Integer gpusPerNode;
    private @Nullable Integer steps;
    private @Nullable String size;
    private @Nullable Integer layers;
    private @Nullable Integer hidden;
    private @Nullable Integer straggler;
    private @Nullable Double slowdown;
    private @Nullable Double clockOffset;
    private @Nullable Double clockDrift;
    private @Nullable Integer threads;
    private @Nullable Integer channels;
    private boolean pythonStacks;
    private boolean launchBound;

    void declare(Arguments arguments) {
        arguments.option("--seed", "N", Long.class, "Seed of every random choice (default 1).", given -> seed = given);
        declareJob(arguments);
        declareDisturbance(arguments);
        arguments.flag("--python-stacks", "Record frames of the Python stack, too.", () -> pythonStacks = true);
    }

    private void declareJob(Arguments arguments) {
        arguments.option("--vendor", "NAME", Vendor.class, "cuda or rocm (default cuda).", given -> vendor = given);
        arguments.option("--ranks", "N", Integer.class, "Ranks of the run (default 8).", given -> ranks = given);
        arguments.option(
                "--gpus-per-node", "N", Integer.class, "Devices of a host (default 8).", given -> gpusPerNode = given);
        arguments.option("--steps", "N", Integer.class, "Training steps (default 4).", given -> steps = given);
        arguments.option(
                "--size",
                "BYTES",
                String.class,
                "As many steps as make each file about this large, e.g. 600MB.",
                given -> size = given);
        arguments.option(
                "--layers", "N", Integer.class, "Layers of the transformer (default 8).", given -> layers = given);
        arguments.option(
                "--hidden", "N", Integer.class, "Width of the transformer (default 2048).", given -> hidden = given);
        arguments.option(
                "--threads",
                "N",
                Integer.class,
                "Threads of a collective kernel (default 512).",
                given -> threads = given);
        arguments.option(
                "--channels", "N", Integer.class, "Channels of a collective (default 32).", given -> channels = given);
    }

    private void declareDisturbance(Arguments arguments) {
        arguments.option(
                "--straggler",
                "R",
                Integer.class,
                "The rank whose kernels are slow; -1 for none (default 3).",
                given -> straggler = given);
        arguments.option("--slowdown", "F", Double.class, "How much slower (default 1.15).", given -> slowdown = given);
        arguments.option(
                "--clock-offset",
                "US",
                Double.class,
                "Clocks differ by up to this (default 500).",
                given -> clockOffset = given);
        arguments.option(
                "--clock-drift",
                "PPM",
                Double.class,
                "Clocks drift by up to this (default 0).",
                given -> clockDrift = given);
        arguments.flag("--launch-bound", "A slow host: the device runs dry.", () -> launchBound = true);
    }

    TraceRecipe recipe() {
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

    /** A run of the job for every pair of threads and channels. */
    static SweepRecipe sweep(TraceRecipe recipe, String pairs) {
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
}
