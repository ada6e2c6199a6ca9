// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.codec.GivenTime;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.options.ReportOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep report} that say how a rank is explained. */
final class RankReportArguments {
    private static final double NS_PER_US = 1000;

    private boolean kernelSummary;
    private @Nullable Double shortKernels;
    private int shortKernelBins = ReportOptions.Kernels.DEFAULT_BINS;
    private boolean unlinkedKernels;
    private boolean detectRecompute;
    private @Nullable Double microIdle;
    private boolean firstOccurrence;
    private boolean groupByKernelCount;
    private boolean groupByModule;
    private boolean callStacks;
    private boolean overlaps;
    private @Nullable String stepAnnotation;
    private @Nullable String device;
    private @Nullable Path models;
    private boolean inference;
    private boolean pseudoOps;
    private @Nullable Path captures;
    private @Nullable Path baselineCaptures;
    private @Nullable String criticalPath;
    private final List<String> whatIfs = new ArrayList<>();
    private boolean collectives = true;
    private @Nullable Path baseline;
    private long stepNs;
    private int rank = -1;

    void declare(Arguments arguments) {
        arguments.number("--rank", "N", 0, "Of a file with several ranks, explain this one.", given -> rank = given);
        declareKernels(arguments);
        declareTimes(arguments);
        declareOperators(arguments);
        declareModels(arguments);
        declareServing(arguments);
        declarePaths(arguments);
    }

    private void declarePaths(Arguments arguments) {
        arguments.optionWithDefault(
                "--critical-path",
                "step|all|NAME[#N]",
                String.class,
                ReportOptions.Paths.STEP,
                "Show what held up every step (the default), annotations of this NAME, the N-th of them from 0, or the"
                        + " whole recording (all).",
                given -> criticalPath = given);
        arguments.repeated(
                "--what-if",
                "EDIT",
                "Predict the time with other durations, as in kernel:*gemm*=x0.5 or host=x0.5. " + "Repeatable.",
                whatIfs::addAll);
        arguments.option(
                "--step-time",
                "TIME",
                String.class,
                "Give gains for steps that take TIME without the profiler, as in 62ms: its cost is taken from CPU time.",
                given -> stepNs = GivenTime.nanoseconds(given)
                        .orElseThrow(() -> new UserException(
                                ErrorCode.OPTION_INVALID,
                                "--step-time " + given + " is no time",
                                "For example 62ms, 800us or 1.5s.")));
    }

    private void declareKernels(Arguments arguments) {
        arguments.flag(
                "--kernel-summary",
                "List kernels by name, stream and operator (always on without --compat).",
                () -> kernelSummary = true);
        arguments.optionWithDefault(
                "--short-kernels",
                "US",
                Double.class,
                "10",
                "Study kernels shorter than US microseconds (default 10). Always on without --compat.",
                given -> shortKernels = given);
        arguments.option(
                "--short-kernel-bins",
                "N",
                Integer.class,
                "Bars of the histogram of short kernels (default 100).",
                given -> shortKernelBins = given);
    }

    private void declareTimes(Arguments arguments) {
        arguments.flag(
                "--unlinked-kernels",
                "With --compat tracelens: count device activity without a known launch, too (always counted without).",
                () -> unlinkedKernels = true);
        arguments.flag(
                "--detect-recompute",
                "Tell apart what activation checkpointing ran again.",
                () -> detectRecompute = true);
        arguments.option(
                "--micro-idle",
                "US",
                Double.class,
                "Split idle time into gaps below and from US microseconds.",
                given -> microIdle = given);
        StepAnnotationOption.declare(arguments, given -> stepAnnotation = given);
        arguments.flag("--no-collectives", "Leave out the list of collectives.", () -> collectives = false);
        arguments.option(
                "--baseline",
                "TRACE",
                Path.class,
                "Compare operators with those of another run.",
                given -> baseline = given);
    }

    private void declareOperators(Arguments arguments) {
        arguments.flag("--first-occurrence", "Show when operators ran first.", () -> firstOccurrence = true);
        arguments.flag(
                "--group-by-kernel-count",
                "Tell operators apart by the number of kernels they launched.",
                () -> groupByKernelCount = true);
        arguments.flag(
                "--group-by-module",
                "Tell operators apart by the module of the network they belong to.",
                () -> groupByModule = true);
        arguments.flag("--call-stacks", "Show from where operators were called.", () -> callStacks = true);
        arguments.flag("--overlap-info", "Show what ran on other streams at the same time.", () -> overlaps = true);
    }

    private void declareModels(Arguments arguments) {
        arguments.option(
                "--arch",
                "NAME|FILE",
                String.class,
                "Measure work against this device: a bundled one, or a JSON or YAML file.",
                given -> device = given);
        arguments.option(
                "--models",
                "FILE",
                Path.class,
                "Operators that are not built in (JSON or YAML).",
                given -> models = given);
    }

    private void declareServing(Arguments arguments) {
        arguments.flag(
                "--inference", "The trace is of inference: there are no backward passes.", () -> inference = true);
        arguments.flag("--pseudo-ops", "Take apart operators that hold several steps of work.", () -> pseudoOps = true);
        arguments.option(
                "--capture",
                "DIR",
                Path.class,
                "Traces recorded during graph capture. They show what is inside graph launches.",
                given -> captures = given);
        arguments.option(
                "--baseline-capture",
                "DIR",
                Path.class,
                "The same for the trace that --baseline names.",
                given -> baselineCaptures = given);
    }

    /** The trace to compare with, if there is one. */
    @Nullable
    Path baseline() {
        return baseline;
    }

    /** What is known about the trace to compare with. */
    ReportOptions.Serving baselineServing() {
        return new ReportOptions.Serving(inference, pseudoOps, baselineCaptures);
    }

    /** Of a file with several ranks the one that is meant, -1 when there is but one. */
    int rank() {
        return rank;
    }

    /** The trace, and the files and folders that the options name. */
    List<Path> inputs(Path trace) {
        return Stream.of(trace, baseline, captures, baselineCaptures, models)
                .filter(Objects::nonNull)
                .toList();
    }

    ReportOptions options() {
        double shortUs = shortKernels == null ? ReportOptions.Kernels.DEFAULT_SHORT_NS / NS_PER_US : shortKernels;
        if (shortUs <= 0 || shortKernelBins < 1 || shortKernelBins > 1_000_000) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--short-kernels wants a time above 0, --short-kernel-bins a number from 1 to 1,000,000",
                    null);
        }
        if (microIdle != null && microIdle < 0) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--micro-idle wants a time of at least 0", null);
        }
        if (baselineCaptures != null && baseline == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--baseline-capture needs the trace whose graphs were captured",
                    "Give it with --baseline TRACE. Use --capture DIR for captures of the trace itself.");
        }
        return new ReportOptions(
                new ReportOptions.Times(
                        microIdle == null ? -1 : Math.round(microIdle * NS_PER_US),
                        unlinkedKernels,
                        detectRecompute,
                        stepAnnotation),
                new ReportOptions.Operators(groupByKernelCount, groupByModule, firstOccurrence, callStacks, overlaps),
                new ReportOptions.Kernels(
                        kernelSummary, shortKernels != null, Math.round(shortUs * NS_PER_US), shortKernelBins),
                new ReportOptions.Models(
                        device == null ? null : Devices.of(device),
                        models == null
                                ? null
                                : new ReportOptions.Definitions(models.toString(), Documents.json(models))),
                new ReportOptions.Serving(inference, pseudoOps, captures),
                new ReportOptions.Paths(criticalPath, whatIfs, stepNs),
                ReportOptions.Launches.STANDARD,
                collectives,
                null);
    }
}
