// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.ReportOptions;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compat.tracelens.TraceLensReport;
import dev.lockstep.engine.PerformanceReport;
import dev.lockstep.engine.Session;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep report TRACE}: reads one rank, explains it, writes what was asked for. */
@Command
public final class ReportCommand implements Callable<Integer> {
    private static final double NS_PER_US = 1000;

    @Spec
    private CommandSpec command;

    @Mixin
    private GlobalOptions global;

    @Parameters(paramLabel = "TRACE", description = "The trace of one rank.")
    private Path trace;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Write report.html, report.xlsx and csv/ into DIR (default: TRACE's name with _report).")
    private @Nullable Path directory;

    @Option(names = "--csv", paramLabel = "DIR", description = "Write one CSV file for each sheet into DIR.")
    private @Nullable Path csv;

    @Option(names = "--xlsx", paramLabel = "FILE", description = "Write a workbook.")
    private @Nullable Path xlsx;

    @Option(names = "--html", paramLabel = "FILE", description = "Write one self-contained page.")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything as one JSON document.")
    private @Nullable Path json;

    @Option(
            names = "--kernel-summary",
            description = "List kernels by name, stream and operator (always on without --compat).")
    private boolean kernelSummary;

    @Option(
            names = "--short-kernels",
            arity = "0..1",
            fallbackValue = "10",
            preprocessor = AttachedValue.class,
            paramLabel = "US",
            description = "Study kernels shorter than US microseconds (default 10; always on without --compat).")
    private @Nullable Double shortKernels;

    @Option(
            names = "--short-kernel-bins",
            paramLabel = "N",
            defaultValue = "100",
            description = "Bars of the histogram of short kernels (default 100).")
    private int shortKernelBins;

    @Option(
            names = "--unlinked-kernels",
            description =
                    "With --compat tracelens: count device activity without a known launch, too (always counted without).")
    private boolean unlinkedKernels;

    @Option(names = "--detect-recompute", description = "Tell apart what activation checkpointing ran again.")
    private boolean detectRecompute;

    @Option(
            names = "--micro-idle",
            paramLabel = "US",
            description = "Split idle time into gaps below and from US microseconds.")
    private @Nullable Double microIdle;

    @Option(names = "--first-occurrence", description = "Show when operators ran first.")
    private boolean firstOccurrence;

    @Option(
            names = "--group-by-kernel-count",
            description = "Tell operators apart by the number of kernels they launched.")
    private boolean groupByKernelCount;

    @Option(
            names = "--step-annotation",
            paramLabel = "NAME",
            description = "Annotations of this name mark steps (default: the profiler's ProfilerStep#N).")
    private @Nullable String stepAnnotation;

    @Option(names = "--compat", paramLabel = "TOOL", description = "Reproduce another tool: tracelens.")
    private @Nullable String compat;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = command.commandLine().getErr();
        boolean traceLens = compat != null;
        if (traceLens && !"tracelens".equals(compat)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "unknown tool for --compat: " + compat, "known: tracelens");
        }
        ReportOptions options = options();
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Trace read = Inputs.readOne(session, TraceInput.of(trace), global, progress);
            progress.step("analysing");
            Report report = traceLens ? TraceLensReport.of(read, options) : PerformanceReport.of(read, options);
            progress.step("writing");
            Map<String, Path> targets = targets();
            write(session, report, targets, traceLens ? CellStyle.PYTHON : CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                PrintWriter out = command.commandLine().getOut();
                Summary.print(report, targets.values(), out);
            }
            Inputs.reportProblems(List.of(read), err);
            return Inputs.status(List.of(read), global);
        }
    }

    private ReportOptions options() {
        double shortUs = shortKernels == null ? ReportOptions.DEFAULT_SHORT_NS / NS_PER_US : shortKernels;
        if (shortUs <= 0 || shortKernelBins < 1 || shortKernelBins > 1_000_000) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--short-kernels wants a time above 0, --short-kernel-bins a number from 1 to 1,000,000",
                    null);
        }
        return new ReportOptions(
                kernelSummary,
                shortKernels != null,
                Math.round(shortUs * NS_PER_US),
                shortKernelBins,
                unlinkedKernels,
                detectRecompute,
                microIdle == null ? -1 : Math.round(microIdle * NS_PER_US),
                firstOccurrence,
                groupByKernelCount,
                stepAnnotation);
    }

    /** What is to be written where, by name of the writer. */
    private Map<String, Path> targets() {
        Map<String, Path> targets = new LinkedHashMap<>();
        boolean named = csv != null || xlsx != null || html != null || json != null;
        if (directory != null || !named) {
            Path into = directory != null ? directory : Path.of(Inputs.stem(trace) + "_report");
            targets.put("html", into.resolve("report.html"));
            targets.put("xlsx", into.resolve("report.xlsx"));
            targets.put("csv", into.resolve("csv"));
        }
        put(targets, "csv", csv);
        put(targets, "xlsx", xlsx);
        put(targets, "html", html);
        put(targets, "json", json);
        return targets;
    }

    private static void put(Map<String, Path> targets, String writer, @Nullable Path path) {
        if (path != null) {
            targets.put(writer, path);
        }
    }

    private void write(Session session, Report report, Map<String, Path> targets, CellStyle style) throws IOException {
        try (Output output = new Output()) {
            for (Map.Entry<String, Path> target : targets.entrySet()) {
                Path path = target.getValue();
                if (Files.exists(path) && Files.isSameFile(path, trace)) {
                    throw new UserException(
                            ErrorCode.OPTION_INVALID, path + " is the input; an output never overwrites it", null);
                }
                boolean many = target.getKey().equals("csv");
                Path staged = many ? output.directory(path) : output.file(path);
                session.registry().writer(target.getKey()).write(report, staged, style);
            }
            output.commit();
        }
    }
}
