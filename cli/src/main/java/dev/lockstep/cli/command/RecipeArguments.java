// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.synth.Delay;
import dev.lockstep.synth.GlooRecipe;
import dev.lockstep.synth.HangFault;
import dev.lockstep.synth.HangRecipe;
import dev.lockstep.synth.InspectorFault;
import dev.lockstep.synth.InspectorRecipe;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Regularity;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep synth} that say what job runs, and what disturbs it. */
final class RecipeArguments {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(?:\\s*([kKmMgG])[bB]?|[bB]?)");

    private static final Pattern PLANTED = Pattern.compile("(leak|fragmentation|peak)\\s*:\\s*([^@]+)(?:@(\\d{1,6}))?");

    /** How much a stage of a run over gloo takes longer when nothing is said, in µs. */
    private static final double SLOW_STAGE = 5_000;

    private @Nullable String gloo;
    private @Nullable Long seed;
    private @Nullable Vendor vendor;
    private @Nullable Integer ranks;
    private @Nullable Integer gpusPerNode;
    private @Nullable Integer steps;
    private @Nullable String size;
    private @Nullable Integer layers;
    private @Nullable Integer hidden;
    private static final Pattern STRAGGLER =
            Pattern.compile("(?:all|(?<first>\\d{1,7})(?:-(?<last>\\d{1,7}))?):(?<kind>\\w+)"
                    + "(?::(?<amount>[0-9]+(?:\\.[0-9]*)?(?:[eE][0-9]+)?))?(?:@(?<step>\\d{1,7}))?");

    private final List<String> stragglers = new ArrayList<>();
    private final List<String> delays = new ArrayList<>();
    private @Nullable String timing;
    private @Nullable Integer pipeline;
    private @Nullable Integer tensor;
    private @Nullable Integer microBatches;
    private @Nullable Integer chunks;
    private @Nullable String schedule;
    private @Nullable String stageLayers;
    private @Nullable Integer batch;
    private @Nullable Integer sequence;
    private boolean syncEvents;
    private boolean edges;
    private boolean graphs;
    private @Nullable String memory;
    private @Nullable Double slowdown;
    private @Nullable Double clockOffset;
    private @Nullable Double clockDrift;
    private @Nullable Integer threads;
    private @Nullable Integer channels;
    private boolean pythonStacks;
    private boolean launchBound;

    void declare(Arguments arguments) {
        arguments.option("--seed", "N", Long.class, "Seed of every random choice (default 1).", given -> seed = given);
        arguments.option(
                "--gloo",
                "WHERE",
                String.class,
                "Average gradients on the CPU by gloo (models on cpu or cuda). Without it, devices shard " + "them.",
                given -> gloo = given);
        declareJob(arguments);
        declareDisturbance(arguments);
        declareParallelism(arguments);
        arguments.flag("--graphs", "Launch the kernels of blocks as graphs.", () -> graphs = true);
        arguments.flag("--python-stacks", "Record frames of the Python stack, too.", () -> pythonStacks = true);
        arguments.flag(
                "--sync-events",
                "Record which stream and which call waits for what (cuda_sync), too.",
                () -> syncEvents = true);
        arguments.optionWithDefault(
                "--memory",
                "KIND:BYTES,..",
                String.class,
                "",
                "Record allocations, too, and plant leak:BYTES, fragmentation:BYTES, peak:BYTES@STEP.",
                given -> memory = given);
        arguments.flag("--edges", "Write every dependency of a rank into rankN_edges.csv.", () -> edges = true);
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

    private void declareParallelism(Arguments arguments) {
        arguments.option(
                "--pipeline", "N", Integer.class, "Stages of a pipeline (default 1).", given -> pipeline = given);
        arguments.option(
                "--tensor", "N", Integer.class, "Ranks that share each layer (default 1).", given -> tensor = given);
        arguments.number(
                "--micro-batches",
                "N",
                1,
                "Micro-batches of a step (default: twice the stages).",
                given -> microBatches = given);
        arguments.number(
                "--chunks",
                "N",
                1,
                "Parts of the model on each stage, for --schedule interleaved (default 2).",
                given -> chunks = given);
        arguments.option(
                "--schedule",
                "NAME",
                String.class,
                "1f1b, interleaved or zero-bubble (default 1f1b).",
                given -> schedule = given);
        arguments.option(
                "--stage-layers",
                "N,..",
                String.class,
                "Layers of each stage, in the order of the model (default: equally many).",
                given -> stageLayers = given);
        arguments.option(
                "--batch", "N", Integer.class, "Samples of a micro-batch (default 2).", given -> batch = given);
        arguments.option(
                "--sequence", "N", Integer.class, "Tokens of a sample (default 2048).", given -> sequence = given);
    }

    private void declareDisturbance(Arguments arguments) {
        arguments.repeated(
                "--straggler",
                "R[:KIND[:AMOUNT[@STEP]]]",
                "A slow rank, a range as in 8-15, or all; KIND is device, clock, work, host, gc, link or start, from"
                        + " STEP on; with --gloo data, forward, backward or optimizer. May be repeated; -1 for none"
                        + " (default 3).",
                stragglers::addAll);
        arguments.repeated(
                "--delay",
                "R:CORRELATION[#NODE]:US",
                "What this call of a rank launches takes longer. May be repeated.",
                delays::addAll);
        arguments.option(
                "--timing",
                "NAME",
                String.class,
                "varied, even (nothing varies) or ideal (nor do latencies and transfers take time).",
                given -> timing = given);
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

    /** A run over gloo, where that is asked for; else null. */
    @Nullable
    GlooRecipe gloo() {
        if (gloo == null) {
            return null;
        }
        if (!gloo.equals("cpu") && !gloo.equals("cuda")) {
            throw new UserException(ErrorCode.OPTION_INVALID, "unknown place of a model: " + gloo, "known: cpu, cuda");
        }
        demandNothingElse(
                "--gloo takes only --ranks, --steps, --layers, --hidden, --seed, --straggler and --clock-offset");
        GlooRecipe r = GlooRecipe.standard().onDevices(gloo.equals("cuda"));
        r = seed == null ? r : r.withSeed(seed);
        r = ranks == null ? r : r.withRanks(ranks);
        r = steps == null ? r : r.withSteps(steps);
        r = r.withModel(layers == null ? r.layers() : layers, hidden == null ? r.hidden() : hidden);
        r = clockOffset == null ? r : r.withClocks(Math.round(clockOffset * 1000));
        List<GlooRecipe.Slow> slow = new ArrayList<>();
        for (String given : stragglers) {
            slow.addAll(slowStages(given, r.ranks()));
        }
        return r.withSlow(slow);
    }

    /** The ranks, the steps and the seed alone: of a job of which nothing but its logs is made. */
    InspectorRecipe inspector(InspectorFault fault, double loss, double lost) {
        demandLittle("--inspector takes only --ranks, --seed, --steps, --loss and --dropped");
        return new InspectorRecipe(
                fault, ranks == null ? 64 : ranks, steps == null ? 200 : steps, loss, lost, seed == null ? 1 : seed);
    }

    /** The ranks and the seed alone: of a job of which nothing but its dumps is made. */
    HangRecipe hang(HangFault fault, int entries, double missing, boolean mixed) {
        String known = "--hang takes only --ranks, --seed, --entries, --missing and --mixed";
        if (steps != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, known, null);
        }
        demandLittle(known);
        return new HangRecipe(fault, ranks == null ? 8 : ranks, entries, missing, mixed, seed == null ? 1 : seed);
    }

    private void demandLittle(String known) {
        boolean more = gloo != null || layers != null || hidden != null || clockOffset != null;
        if (more || !stragglers.isEmpty()) {
            throw new UserException(ErrorCode.OPTION_INVALID, known, null);
        }
        demandNothingElse(known);
    }

    /** Neither a run over gloo nor one that hangs has settings of devices, of pipelines, or of what is recorded. */
    private void demandNothingElse(String known) {
        boolean more = vendor != null
                || gpusPerNode != null
                || size != null
                || pipeline != null
                || tensor != null
                || microBatches != null
                || chunks != null
                || schedule != null
                || stageLayers != null
                || batch != null
                || sequence != null
                || memory != null
                || slowdown != null
                || clockDrift != null
                || threads != null
                || channels != null
                || timing != null
                || syncEvents
                || edges
                || graphs
                || pythonStacks
                || launchBound
                || !delays.isEmpty();
        if (more) {
            throw new UserException(ErrorCode.OPTION_INVALID, known, null);
        }
    }

    private static List<GlooRecipe.Slow> slowStages(String given, int ranks) {
        if (given.equals("-1")) {
            return List.of();
        }
        Matcher said = STRAGGLER.matcher(given);
        if (!said.matches()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--straggler wants R:STAGE[:AMOUNT[@STEP]] with --gloo: " + given,
                    "STAGE is data, forward, backward or optimizer, AMOUNT a time in µs.");
        }
        GlooRecipe.Stage stage = GlooRecipe.Stage.of(said.group("kind"));
        double amount = said.group("amount") == null ? SLOW_STAGE : Double.parseDouble(said.group("amount"));
        int step = said.group("step") == null ? 1 : Integer.parseInt(said.group("step"));
        int first = said.group("first") == null ? 0 : rank(said.group("first"));
        int last =
                said.group("last") != null ? rank(said.group("last")) : said.group("first") == null ? ranks - 1 : first;
        return IntStream.rangeClosed(first, last)
                .mapToObj(rank -> new GlooRecipe.Slow(rank, stage, Math.round(amount * 1_000), step))
                .toList();
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
        if (batch != null || sequence != null) {
            r = r.withModel(new TraceRecipe.Model(
                    r.model().layers(),
                    r.model().hidden(),
                    sequence == null ? r.model().sequenceLength() : sequence,
                    batch == null ? r.model().batch() : batch));
        }
        r = pipeline == null && tensor == null ? r : r.withParallelism(parallelism());
        r = disturbed(r);
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
        r = syncEvents ? r.withSyncEvents(true) : r;
        r = memory == null ? r : r.withMemory(plan(memory));
        r = edges ? r.withEdges(true) : r;
        r = graphs ? r.withGraphs(true) : r;
        return launchBound ? r.launchBound() : r;
    }

    private static MemoryPlan plan(String text) {
        MemoryPlan plan = MemoryPlan.plain();
        for (String planted : text.isEmpty() ? List.<String>of() : List.of(text.split(","))) {
            Matcher matcher = PLANTED.matcher(planted.strip());
            if (!matcher.matches()) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        "--memory does not know " + planted,
                        "as in --memory=leak:32MB,fragmentation:256MB,peak:1GB@2");
            }
            long amount = bytes(matcher.group(2));
            plan = switch (matcher.group(1)) {
                case "leak" -> new MemoryPlan(amount, plan.fragmentationBytes(), plan.peakBytes(), plan.peakStep());
                case "fragmentation" -> new MemoryPlan(plan.leakBytes(), amount, plan.peakBytes(), plan.peakStep());
                default ->
                    new MemoryPlan(
                            plan.leakBytes(),
                            plan.fragmentationBytes(),
                            amount,
                            matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3)));
            };
        }
        return plan;
    }

    private Parallelism parallelism() {
        int stages = pipeline == null ? 1 : pipeline;
        Parallelism.Schedule order = Parallelism.Schedule.of(schedule == null ? "1f1b" : schedule);
        boolean interleaved = order == Parallelism.Schedule.INTERLEAVED;
        return new Parallelism(
                stages,
                tensor == null ? 1 : tensor,
                microBatches == null ? 2 * stages : microBatches,
                chunks == null ? interleaved ? 2 : 1 : chunks,
                order,
                stageLayers == null ? List.of() : numbers(stageLayers));
    }

    /** A rank alone is the one whose kernels are slow by {@code --slowdown}; the last of them counts. */
    private TraceRecipe disturbed(TraceRecipe recipe) {
        TraceRecipe r = recipe;
        Integer straggler = stragglers.isEmpty() ? null : -1;
        for (String given : stragglers) {
            if (given.contains(":")) {
                for (Straggler one : stragglers(given)) {
                    r = r.withStraggler(one);
                }
            } else {
                straggler = rank(given);
            }
        }
        if (straggler != null || slowdown != null) {
            int who = straggler == null ? r.disturbance().stragglerRank() : straggler;
            double factor =
                    slowdown == null ? TraceRecipe.standard().disturbance().slowdown() : slowdown;
            r = r.withStraggler(who, who < 0 ? 1 : factor);
        }
        for (String given : delays) {
            r = r.withDelay(delay(given));
        }
        return timing == null ? r : r.withTiming(timing());
    }

    private Regularity timing() {
        try {
            return Regularity.valueOf(String.valueOf(timing).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "unknown timing: " + timing, "known: varied, even, ideal", e);
        }
    }

    /** What one option says: a straggler, or one for each rank of a range. */
    private static List<Straggler> stragglers(String given) {
        Matcher said = STRAGGLER.matcher(given);
        if (!said.matches()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--straggler wants R[:KIND[:AMOUNT[@STEP]]]: " + given,
                    "R is a rank, a range as in 8-15, or all.");
        }
        Straggler.Kind kind = Straggler.Kind.of(said.group("kind"));
        double amount = said.group("amount") == null ? kind.usual() : Double.parseDouble(said.group("amount"));
        int step = said.group("step") == null ? 1 : Integer.parseInt(said.group("step"));
        if (said.group("first") == null) {
            return List.of(new Straggler(Straggler.ALL, kind, amount, step));
        }
        int first = rank(said.group("first"));
        int last = said.group("last") == null ? first : rank(said.group("last"));
        return IntStream.rangeClosed(first, last)
                .mapToObj(rank -> new Straggler(rank, kind, amount, step))
                .toList();
    }

    private static int rank(String given) {
        try {
            return Integer.parseInt(given);
        } catch (NumberFormatException e) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--straggler wants a rank, as in 3 or 3:host:5000: " + given, null, e);
        }
    }

    private static Delay delay(String given) {
        String[] parts = given.split(":", -1);
        try {
            if (parts.length == 3) {
                String[] activity = parts[1].split("#", 2);
                return new Delay(
                        Integer.parseInt(parts[0]),
                        Long.parseLong(activity[0]),
                        activity.length == 1 ? 0 : Integer.parseInt(activity[1]),
                        Math.round(Double.parseDouble(parts[2]) * 1_000));
            }
        } catch (NumberFormatException e) {
            throw new UserException(ErrorCode.OPTION_INVALID, "not a number in --delay " + given, null, e);
        }
        throw new UserException(ErrorCode.OPTION_INVALID, "--delay wants R:CORRELATION[#NODE]:US: " + given, null);
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
