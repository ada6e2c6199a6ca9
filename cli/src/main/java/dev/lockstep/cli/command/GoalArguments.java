// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.GoalFiles;
import dev.lockstep.goal.GoalFiles.Form;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.GoalOptions;
import dev.lockstep.goal.GoalOptions.CostFiles;
import dev.lockstep.goal.GoalOptions.NodeLink;
import dev.lockstep.goal.GoalOptions.Reading;
import dev.lockstep.goal.GoalOptions.Streams;
import dev.lockstep.goal.GoalOptions.Tags;
import dev.lockstep.goal.generate.GoalRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep goal}, most of them those of ATLAHS's generator. */
final class GoalArguments {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(?:\\.\\d+)?([KMG]?)B?");
    private static final Pattern WIDTHS = Pattern.compile("(\\d{1,2}),(\\d{1,2})");
    private static final int LARGEST_BUFFER = 1 << 26;
    private static final double GIGABYTES_TO_BYTES_PER_MICROSECOND = 1000;

    private final KinetoArguments kineto = new KinetoArguments();
    private Path input = Path.of("");
    private Path output = Path.of("");
    private @Nullable String from;
    private @Nullable Path simple;
    private @Nullable Path lowLatency;
    private @Nullable Path lowLatency128;
    private @Nullable Long seed;
    private boolean merged;
    private boolean wholeWindow;
    private boolean acrossStreams;
    private boolean together;
    private @Nullable String label;
    private Tags digits = Tags.PLAIN;
    private long nodeBandwidth = NodeLink.DEFAULT.bytesPerMicrosecond();
    private int nodeNic = NodeLink.DEFAULT.nic();
    private final List<Path> algorithms = new ArrayList<>();
    private long mostOperations = GoalOptions.BY_INPUT;
    private @Nullable Path log;
    private int workers;
    private boolean parallel;
    private boolean concatenate;
    private boolean deleteParts;
    private boolean binary;
    private boolean intermediate;
    private boolean intermediateOnly;
    private boolean tagTable;
    private int buffer = GoalFiles.USUAL_BUFFER;
    private final CompatOption compat = new CompatOption();

    void declare(Arguments arguments) {
        arguments.required(
                "-i,--trace_dir",
                "DIR",
                Path.class,
                "Where the traces are: a directory, searched with all below it.",
                given -> input = given);
        arguments.required(
                "-o,--output_dir",
                "DIR",
                Path.class,
                "Where the schedule goes. Created if absent.",
                given -> output = given);
        arguments.writes("-o");
        arguments.option(
                "-s,--npkit_data_simple",
                "FILE",
                Path.class,
                "Measured costs of reducing and copying with the Simple protocol (NPKit summary, " + "default: GH200).",
                given -> simple = given);
        arguments.option(
                "-l,--npkit_data_ll",
                "FILE",
                Path.class,
                "The same with the LL protocol.",
                given -> lowLatency = given);
        arguments.option(
                "--npkit-data-ll128",
                "FILE",
                Path.class,
                "The same with the LL128 protocol (default: as with LL).",
                given -> lowLatency128 = given);
        files(arguments);
        content(arguments);
        kineto.declare(arguments);
    }

    private void files(Arguments arguments) {
        arguments.flag(
                "-p,--parallel_generation", "Write a file for each rank, rank_N.goal (see -c).", () -> parallel = true);
        arguments.flag("-c,--concatenate", "With -p: write output.goal, too.", () -> concatenate = true);
        arguments.flag("-r,--delete_parts", "With -p: write output.goal only.", () -> deleteParts = true);
        arguments.number("-w,--n_workers", "N", 1, "Worker threads, as --jobs.", given -> workers = given);
        arguments.option(
                "--write_buffer_size",
                "SIZE",
                String.class,
                "How much of a file is written at once, as in 64KB or 1MB (default: 64KB).",
                given -> buffer = size(given));
        arguments.option(
                "--format",
                "FORMAT",
                String.class,
                "text or binary (default: text).",
                given -> binary = isBinary(given));
        arguments.flag(
                "--intermediate_goal",
                "Also write Events_Dependency.goal, which holds whole collectives.",
                () -> intermediate = true);
        arguments.flag("--intermediate_goal_only", "Write nothing else.", () -> intermediateOnly = true);
        arguments.option(
                "--max-operations",
                "N",
                Long.class,
                "The most operations that a schedule may have (default: 16 for each byte of the traces, at least 16777216).",
                given -> mostOperations = operations(given));
        arguments.flag(
                "--tags",
                "Also write tags.tsv, which explains tags. With --label it is always written.",
                () -> tagTable = true);
    }

    private void content(Arguments arguments) {
        arguments.flag(
                "-m,--merged",
                "Put the streams of a GPU into one, if nowhere two operations overlap.",
                () -> merged = true);
        arguments.option(
                "--nccl_log",
                "FILE",
                Path.class,
                "A log of NCCL (NCCL_DEBUG=INFO), for communicators that the traces do not introduce.",
                given -> log = given);
        arguments.option(
                "--from",
                "KIND",
                String.class,
                "What the traces are: nsys or kineto, those of PyTorch's profiler (default: by what is there).",
                given -> from = given);
        arguments.option(
                "--seed",
                "N",
                Long.class,
                "Draw costs from the measured ones (default: their means).",
                given -> seed = given);
        arguments.option(
                "--label",
                "EXPR",
                String.class,
                "What tags say, as in \"parallelism + 10 * communicator\"; also: collective, sequence.",
                given -> label = given);
        arguments.option(
                "--tag-width",
                "N,L",
                String.class,
                "Digits of tags: for the message's number, and for the label (default: what is needed).",
                given -> digits = widths(given));
        arguments.flag(
                "--whole-window",
                "Compute from the beginning of the profile to the first operation, and from the last to its end.",
                () -> wholeWindow = true);
        arguments.flag(
                "--cross-stream",
                "Let operations wait for those that had ended on other streams.",
                () -> acrossStreams = true);
        arguments.flag(
                "--start-together",
                "Kineto: let all ranks begin at the same time (default: as far apart as they were recorded).",
                () -> together = true);
        arguments.option(
                "--node-bandwidth",
                "GB/S",
                Double.class,
                "Bandwidth between GPUs of a node (default: 300).",
                given -> nodeBandwidth = bandwidth(given));
        arguments.option(
                "--node-nic",
                "N",
                Integer.class,
                "Network card of messages between GPUs of a node (default: 0).",
                given -> nodeNic = nic(given));
        arguments.repeated(
                "--algorithm",
                "FILE",
                "A collective algorithm, stated as steps in a file (see goal algorithms); for several: several times.",
                given -> given.stream().map(FileNames::path).forEach(algorithms::add));
        compat.declare(arguments, "reference, the structure of ATLAHS's generator and what it gets wrong");
    }

    /** Where the traces are. */
    Path input() {
        return input;
    }

    /** Where the schedule goes. */
    Path output() {
        return output;
    }

    /** Whose rules the schedule follows. */
    GoalRules rules() {
        GoalRules rules = compat.or(GoalRules.OWN, GoalRules.class);
        return parallel ? rules.parallel() : rules;
    }

    /** How the schedule is made. */
    GoalOptions options(GlobalOptions global, LongConsumer progress) {
        return new GoalOptions(
                new CostFiles(simple, lowLatency, lowLatency128, seed),
                new Streams(merged, wholeWindow, acrossStreams, together),
                new Tags(label, digits.numberDigits(), digits.labelDigits()),
                new NodeLink(nodeBandwidth, nodeNic),
                algorithms,
                mostOperations,
                new Reading(workers > 0 ? workers : global.jobs(), global.strict(), progress, log, kineto.options()));
    }

    /** Which files are written. */
    GoalFiles files() {
        return new GoalFiles(form(), intermediate || intermediateOnly, tagTable, buffer);
    }

    private Form form() {
        if (intermediateOnly) {
            return Form.NONE;
        }
        if (binary) {
            return Form.BINARY;
        }
        if (!parallel || deleteParts) {
            return Form.TEXT;
        }
        return concatenate ? Form.TEXT_BOTH : Form.TEXT_BY_RANK;
    }

    /** Whether the traces are PyTorch's: as given, else by whether there are exports of Nsight Systems. */
    boolean isPyTorch() {
        return from == null ? GoalInput.isPyTorch(input) : from.equals("kineto");
    }

    /** What contradicts itself, or what was not meant. */
    void check() {
        boolean other = compat.isGiven();
        if (from != null && !from.equals("nsys") && !from.equals("kineto")) {
            throw invalid("--from wants nsys or kineto, not " + from, null);
        }
        if (other && isPyTorch()) {
            throw invalid("--compat reads no PyTorch traces here", null);
        }
        demandCosts(other);
        if (other && (label != null || wholeWindow || acrossStreams || together || !algorithms.isEmpty())) {
            throw invalid(
                    "--compat takes no --label, --whole-window, --cross-stream, --start-together or --algorithm",
                    "The other generator knows none of them. Leave out --compat.");
        }
        if (binary && parallel && !concatenate && !deleteParts) {
            throw invalid("--format binary writes one file: -p wants -c or -r", null);
        }
    }

    /** Costs are given for both protocols, or for none where that is enough. */
    private void demandCosts(boolean other) {
        String missing = simple == null ? "--npkit_data_simple" : "--npkit_data_ll";
        if (other && (simple == null || lowLatency == null)) {
            throw invalid(
                    "missing required option: " + missing,
                    "Without --compat, leave out both to use the costs measured on GH200.");
        }
        if ((simple == null) != (lowLatency == null)) {
            throw invalid(
                    (simple == null ? "-l" : "-s") + " wants " + missing + ", too",
                    "Give the costs of both protocols, or of neither to use those measured on GH200.");
        }
    }

    private static boolean isBinary(String given) {
        return switch (given.toLowerCase(Locale.ROOT)) {
            case "binary" -> true;
            case "text" -> false;
            default -> throw invalid("--format wants text or binary, not " + given, null);
        };
    }

    private static Tags widths(String given) {
        Matcher widths = WIDTHS.matcher(given);
        if (!widths.matches()) {
            throw invalid("--tag-width wants two numbers, as in 4,5, not " + given, null);
        }
        return new Tags(null, Integer.parseInt(widths.group(1)), Integer.parseInt(widths.group(2)));
    }

    private static int size(String given) {
        Matcher size = SIZE.matcher(given.strip().toUpperCase(Locale.ROOT));
        if (!size.matches()) {
            throw invalid("--write_buffer_size wants a size, as in 64KB or 1MB, not " + given, null);
        }
        long unit = switch (size.group(2)) {
            case "K" -> 1L << 10;
            case "M" -> 1L << 20;
            case "G" -> 1L << 30;
            default -> 1;
        };
        return Math.clamp(Long.parseLong(size.group(1)) * unit, 1024, LARGEST_BUFFER);
    }

    private static long operations(long given) {
        if (given < 1) {
            throw invalid("--max-operations wants a number above 0", null);
        }
        return given;
    }

    private static int nic(int given) {
        if (given < 0 || given > 255) {
            throw invalid("--node-nic wants a number from 0 to 255", null);
        }
        return given;
    }

    /** Bytes in a microsecond of a bandwidth in GB/s. */
    static long bandwidth(double given) {
        if (!(given >= 0.001 && given <= 1e9)) {
            throw invalid("--node-bandwidth wants a number above 0", null);
        }
        return Math.max(1, Math.round(given * GIGABYTES_TO_BYTES_PER_MICROSECOND));
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
