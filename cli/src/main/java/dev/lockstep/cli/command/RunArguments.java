// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.Again;
import dev.lockstep.cli.launch.Clock;
import dev.lockstep.cli.launch.Container;
import dev.lockstep.cli.launch.DryRun;
import dev.lockstep.cli.launch.LaunchConsole;
import dev.lockstep.cli.launch.LaunchNodes;
import dev.lockstep.cli.launch.LaunchResult;
import dev.lockstep.cli.launch.Launcher;
import dev.lockstep.cli.launch.Limits;
import dev.lockstep.cli.launch.Pipeline;
import dev.lockstep.cli.launch.Problems;
import dev.lockstep.cli.launch.Recipe;
import dev.lockstep.cli.launch.Rocprof;
import dev.lockstep.cli.launch.Setting;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.cli.launch.StopSignal;
import dev.lockstep.cli.launch.SweepPlan;
import dev.lockstep.cli.launch.SweepRunner;
import dev.lockstep.cli.launch.TrainerConfig;
import dev.lockstep.cli.launch.Variant;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What {@code config run} and {@code sweep run} have in common: everything but the settings. */
final class RunArguments {
    /** What a service may be called, and no option, script or interpreter. */
    private static final Pattern SERVICE = Pattern.compile("(?!python)[A-Za-z0-9][A-Za-z0-9_-]*");

    /** A name or an address, the latter also in brackets. */
    private static final Pattern HOST = Pattern.compile("\\[[^\\[\\]]+]|(?!:[^:])[^\\[\\]]+");

    private static final Duration LONGEST_END = Duration.ofMinutes(2);
    private static final int LAST_PORT = 65_535;

    private final Pipeline pipeline;
    private final Problems problems = new Problems();
    private final Map<String, String> environment = new LinkedHashMap<>();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private Path config = Path.of("config", "distributed.yaml");
    private @Nullable Path output;
    private int processes = 8;
    private int nodeCount = 1;
    private int nodeRank = -1;
    private LaunchNodes.@Nullable Master master;
    private Launcher launcher = Launcher.TORCHRUN;
    private Variant variant = Variant.DOCUMENTED;
    private final List<String> overrides = new ArrayList<>();
    private List<String> words = List.of();
    private boolean serialize;
    private @Nullable Path rccl;
    private boolean rocprof;
    private boolean stats;
    private @Nullable Path rocprofInput;
    private @Nullable String service;
    private Path composeFile = Container.COMPOSE_FILE;
    private @Nullable Duration timeout;
    private Duration grace = Duration.ofSeconds(10);
    private Duration pause = Duration.ofSeconds(5);
    private boolean resume;
    private boolean skip;
    private boolean dryRun;
    private boolean tee;
    private boolean noSummary;

    RunArguments(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    Problems problems() {
        return problems;
    }

    /**
     * @param configNames the names of the option for the trainer's configuration, which both commands spell differently
     * @param processNames the names of the option for the number of processes
     */
    void declare(Arguments arguments, String configNames, String processNames) {
        global = arguments.global();
        arguments.option(
                configNames,
                "FILE",
                Path.class,
                "The trainer's configuration, YAML or JSON (default: config/distributed.yaml).",
                given -> config = given);
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where runs go (default: experiments/"
                        + pipeline.folder("<time>").getFileName() + ").",
                given -> output = given);
        arguments.writes("-o");
        arguments.option(processNames, "N", Integer.class, "Processes, one for each device (default: 8).", given -> {
            if (given < 1) {
                problems.add("--nproc: " + given + " is no number of processes");
            }
            processes = given;
        });
        declareNodes(arguments);
        declareTrainer(arguments);
        declareSurroundings(arguments);
        declareCourse(arguments);
    }

    private void declareNodes(Arguments arguments) {
        arguments.number(
                "--nnodes",
                "N",
                1,
                "Nodes of each run (default: 1). Launch each node by itself, with the same options but "
                        + "--node-rank.",
                given -> nodeCount = given);
        arguments.number(
                "--node-rank", "R", 0, "With --nnodes: which node this is, from 0.", given -> nodeRank = given);
        arguments.option(
                "--master",
                "HOST[:PORT]",
                String.class,
                "With --nnodes: where ranks meet, the first node (default port: " + LaunchNodes.PORT + ").",
                given -> master = master(given));
    }

    private LaunchNodes.Master master(String given) {
        int colon = given.lastIndexOf(':');
        boolean named =
                colon > 0 && (given.indexOf(':') == colon || given.startsWith("[") && given.charAt(colon - 1) == ']');
        String port = named ? given.substring(colon + 1) : Integer.toString(LaunchNodes.PORT);
        String host = named ? given.substring(0, colon) : given;
        if (!HOST.matcher(host).matches() || !port.matches("[1-9]\\d{0,4}") || Integer.parseInt(port) > LAST_PORT) {
            problems.add("--master: '" + given + "' is no HOST:PORT");
            return new LaunchNodes.Master(host, LaunchNodes.PORT);
        }
        return new LaunchNodes.Master(host.replaceAll("^\\[|\\]$", ""), Integer.parseInt(port));
    }

    private LaunchNodes nodes() {
        LaunchNodes.Master meeting = master;
        if (nodeCount == 1 && nodeRank <= 0 && meeting == null) {
            return LaunchNodes.alone(processes);
        }
        if (nodeCount < 2) {
            problems.add("--node-rank and --master belong to --nnodes, 2 or more");
        } else if (nodeRank < 0 || nodeRank >= nodeCount) {
            problems.add("--node-rank: which of the " + nodeCount + " nodes is this, 0 to " + (nodeCount - 1) + "?");
        }
        if ((long) nodeCount * processes > Integer.MAX_VALUE) {
            problems.add("--nnodes: " + nodeCount + " nodes have more ranks than can be counted");
        }
        if (meeting == null) {
            problems.add("--master: where do the ranks of " + nodeCount + " nodes meet?");
        }
        if (output == null) {
            problems.add("--output: several nodes write into one folder, which must be named");
        }
        return new LaunchNodes(
                processes,
                nodeCount,
                nodeRank,
                meeting == null ? new LaunchNodes.Master("", LaunchNodes.PORT) : meeting);
    }

    private void declareTrainer(Arguments arguments) {
        arguments.option(
                "--launcher",
                "HOW",
                Launcher.class,
                "Who starts the ranks: torchrun, direct (lockstep itself), command (what stands behind --);"
                        + " default: torchrun.",
                given -> launcher = given);
        arguments.list(
                "--override",
                "K=V",
                "Values that replace those of the configuration. An empty one removes a default of this " + "command.",
                overrides::addAll);
        arguments.option("--env", "K=V", String[].class, "A further variable for the trainer. Repeatable.", given -> {
            for (String text : given) {
                addVariable(text);
            }
        });
        arguments.option(
                "--variant",
                "WHICH",
                Variant.class,
                "Environment and overrides of which state of the old launchers: documented, latest"
                        + " (default: documented).",
                given -> variant = given);
        arguments.flag(
                "--serialize-kernels",
                "Run kernels one after the other, to find faults. Overlap is then unknown.",
                () -> serialize = true);
        arguments.option(
                "--rccl",
                "DIR",
                Path.class,
                "Folder of the RCCL library to use. It goes before LD_LIBRARY_PATH.",
                given -> rccl = given);
        arguments.words(
                "WORDS",
                "Behind --: options of torchrun, the trainer's script with its arguments, or both (default: train.py).",
                given -> words = given);
    }

    private void declareSurroundings(Arguments arguments) {
        arguments.flag("-r,--rocprof", "Run trainers under rocprofv3, tracing kernels.", () -> rocprof = true);
        arguments.flag("-m,--stats", "With --rocprof: ask for statistics, too.", () -> stats = true);
        arguments.option(
                "--rocprof-input",
                "FILE",
                Path.class,
                "Run trainers under rocprofv3 with this configuration.",
                given -> rocprofInput = given);
        arguments.optionWithDefault(
                "--container",
                "SERVICE",
                String.class,
                pipeline == Pipeline.CONFIG ? "rccl-warpspeed" : "rocm70",
                "Run each run in a container of its own, of this service of the compose file.",
                given -> service = given);
        arguments.option(
                "--compose-file",
                "FILE",
                Path.class,
                "The compose file for --container (default: docker/docker-compose.yaml).",
                given -> composeFile = given);
    }

    private void declareCourse(Arguments arguments) {
        arguments.flag("--resume", "Keep runs that are finished, start the others.", () -> resume = true);
        arguments.flag("-s,--skip-existing", "Leave out runs whose folders are there.", () -> skip = true);
        arguments.flag("--dry-run", "Print the commands and their environment, start nothing.", () -> dryRun = true);
        arguments.flag("--tee", "Show what trainers print.", () -> tee = true);
        arguments.flag("-n,--no-summary", "Write no summary file.", () -> noSummary = true);
        arguments.option(
                "--timeout",
                "TIME",
                String.class,
                "End a run that takes longer: seconds, or with m or h behind the number (default: never).",
                given -> timeout = Clock.parse("--timeout", given, problems));
        arguments.option(
                "--grace",
                "TIME",
                String.class,
                "What processes get between TERM and KILL (default: 10 s).",
                given -> grace = Clock.parse("--grace", given, problems));
        arguments.option(
                "--pause",
                "TIME",
                String.class,
                "Wait between two runs (default: 5 s).",
                given -> pause = Clock.parse("--pause", given, problems));
    }

    private void addVariable(String text) {
        int equals = text.indexOf('=');
        if (!text.substring(0, Math.max(0, equals)).matches("[A-Za-z_][A-Za-z0-9_]*")) {
            problems.add("--env: '" + text + "' is no KEY=VALUE");
            return;
        }
        environment.put(text.substring(0, equals), text.substring(equals + 1));
    }

    /** Starts them, or prints what would be started; returns the exit status. */
    int run(List<? extends Setting> settings, PrintWriter out, PrintWriter err) throws IOException {
        if (resume && skip) {
            problems.add("--resume and --skip-existing exclude each other");
        }
        if (stats && !rocprof) {
            problems.add("--stats belongs to --rocprof");
        }
        if (stats && rocprofInput != null) {
            problems.add("--stats: the file of --rocprof-input says what is recorded");
        }
        if (rccl != null && service != null) {
            problems.add("--rccl: with --container, the image knows where its RCCL is");
        }
        boolean bare = !words.isEmpty() && SERVICE.matcher(words.getFirst()).matches();
        if (service != null && launcher == Launcher.TORCHRUN && bare) {
            problems.add("--container takes the service behind =: --container=" + words.getFirst());
        }
        LaunchNodes nodes = nodes();
        problems.check();
        String stamp = Clock.stamp(LocalDateTime.now(ZoneId.systemDefault()));
        SweepPlan plan = SweepPlan.of(recipe(nodes), base(stamp), stamp, settings);
        plan.check(problems);
        if (dryRun) {
            DryRun.print(plan, out);
            return ExitStatus.COMPLETE;
        }
        return launch(plan, out, err);
    }

    private Recipe recipe(LaunchNodes nodes) throws IOException {
        String often = "Every run reads it again.";
        if (Files.exists(config)) {
            NamedFiles.demandFile(config.toString(), config, often);
        }
        if (rocprofInput != null) {
            NamedFiles.demandFile(rocprofInput.toString(), rocprofInput, often);
        }
        return new Recipe(
                pipeline,
                variant,
                TrainerConfig.read(config),
                launcher,
                nodes,
                words,
                overrides,
                withLibrary(),
                serialize,
                rocprof || rocprofInput != null ? new Rocprof(stats, rocprofInput) : null,
                container());
    }

    private @Nullable Container container() {
        if (service == null) {
            return null;
        }
        Container container = new Container(composeFile, service);
        return dryRun ? container : container.ready();
    }

    private Map<String, String> withLibrary() {
        Path library = rccl;
        boolean last = pipeline == Pipeline.CONFIG && variant == Variant.LATEST && service == null;
        if (library == null && last && Files.isDirectory(Recipe.RCCL_BUILD)) {
            library = Recipe.RCCL_BUILD;
        }
        Map<String, String> set = new LinkedHashMap<>();
        if (library != null) {
            String before = System.getenv("LD_LIBRARY_PATH");
            set.put("LD_LIBRARY_PATH", library + (before == null || before.isEmpty() ? "" : ":" + before));
        }
        set.putAll(environment);
        return set;
    }

    private Path base(String stamp) throws IOException {
        if (output != null) {
            return output;
        }
        if (resume) {
            return latest();
        }
        return pipeline.folder(stamp);
    }

    /** The folder of the latest launch, which is to be resumed. */
    private Path latest() throws IOException {
        Path experiments = pipeline.folder("");
        Path parent = Objects.requireNonNull(experiments.getParent());
        String prefix = String.valueOf(experiments.getFileName());
        if (Files.isDirectory(parent)) {
            try (Stream<Path> folders = Files.list(parent)) {
                Optional<Path> latest = folders.filter(Files::isDirectory)
                        .filter(folder -> String.valueOf(folder.getFileName()).matches(prefix + "\\d{8}_\\d{6}"))
                        .max(Comparator.comparing(Path::toString));
                if (latest.isPresent()) {
                    return latest.get();
                }
            }
        }
        throw new UserException(
                ErrorCode.INPUT_NOT_FOUND, "there is nothing to resume in " + parent, "--output names the folder");
    }

    private int launch(SweepPlan plan, PrintWriter out, PrintWriter err) throws IOException {
        Again again = resume ? Again.RESUME : skip ? Again.SKIP : Again.REFUSE;
        Duration longestEnd = grace.multipliedBy(2).plus(LONGEST_END);
        try (StopSignal stop = StopSignal.listen(longestEnd, ExitStatus.INTERRUPTED);
                LaunchConsole console = new LaunchConsole(out, err, global.quiet(), Progress.isTerminal())) {
            Limits limits = new Limits(timeout, grace, pause);
            LaunchResult result = new SweepRunner(plan, again, limits, tee, !noSummary, console, stop).run();
            if (!result.stopped() && !global.quiet() && result.succeeded() + result.skipped() > 0) {
                next(plan, out);
            }
            return status(result);
        }
    }

    private int status(LaunchResult result) {
        if (result.stopped()) {
            return ExitStatus.INTERRUPTED;
        }
        if (result.succeeded() + result.skipped() == 0) {
            return ExitStatus.NOTHING;
        }
        return global.status(result.failed() == 0);
    }

    private void next(SweepPlan plan, PrintWriter out) {
        if (pipeline == Pipeline.SWEEP) {
            out.println("Next: lockstep sweep all " + ShellText.word(plan.base().toString()));
            return;
        }
        out.println("Next: lockstep config report DIR, for each directory above; then lockstep config compare");
    }
}
