// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.KernelList;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code kernels extract}. */
final class KernelArguments {
    /** What the inputs are. */
    enum Kind {
        /** A trace of a profiler. */
        TRACE,
        /** An execution trace. */
        EXECUTION_TRACE,
        /** Lists of kernels that were written before. */
        LISTS
    }

    /**
     * What the user gave.
     *
     * @param rank of a file with several ranks; -1 for the only one
     * @param executionTrace of the run that the input shows; null for none
     * @param computeLists lists that say which kernels are computation
     * @param launches whether every launch is to be written
     */
    record Options(
            List<Path> inputs,
            Kind kind,
            int rank,
            @Nullable Path executionTrace,
            List<Path> computeLists,
            KernelSelection selection,
            boolean launches) {
        /** All that is read, and must not be overwritten. */
        List<Path> files() {
            List<Path> files = new ArrayList<>(inputs);
            files.addAll(computeLists);
            if (executionTrace != null) {
                files.add(executionTrace);
            }
            return files;
        }

        /** The inputs as the user named them. */
        List<String> names() {
            return inputs.stream().map(Path::toString).toList();
        }

        /** The first input, which is the only one unless they are lists. */
        TraceInput input() {
            return TraceInput.of(inputs.getFirst());
        }
    }

    private List<Path> inputs = List.of();
    private int rank = -1;
    private @Nullable Path executionTrace;
    private List<Path> computeLists = List.of();
    private boolean launches;
    private final KernelSelection.Arguments selection = new KernelSelection.Arguments();

    /** The inputs; the other options come behind those that say where the report goes. */
    void declareInputs(Arguments arguments) {
        arguments.words(
                "TRACE|LIST",
                "A trace, an execution trace (ET), or lists of kernels that were written before (.jsonl, .csv,"
                        + " kernel_signatures.json).",
                given -> inputs = paths(given));
    }

    void declare(Arguments arguments) {
        arguments.option(
                "--inputs",
                "FILE,...",
                String.class,
                "Lists of kernels, separated by commas.",
                given -> inputs = paths(split(given)));
        arguments.option(
                "--compute-csvs",
                "FILE,...",
                String.class,
                "Lists with categories: keep only what they call compute.",
                given -> computeLists = paths(split(given)));
        selection.declareKernels(arguments);
        arguments.number("--rank", "N", 0, "Of a file with several ranks, take this one.", given -> rank = given);
        arguments.option(
                "--execution-trace",
                "FILE",
                Path.class,
                "The execution trace of the run that INPUT shows: it knows shapes and types that INPUT lacks.",
                given -> executionTrace = given);
        selection.declarePasses(arguments);
        arguments.flag(
                "--launches",
                "Also write every launch with its unique kernel: kernel_launches.csv.",
                () -> launches = true);
    }

    /**
     * What was given, once the command line is read.
     *
     * @throws UserException when options contradict each other or the inputs
     */
    Options options() throws IOException {
        if (inputs.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "there is no input", "Name a trace, or lists of kernels with --inputs.");
        }
        KernelSelection chosen = selection.chosen();
        Kind kind = kind();
        demandFitting(kind);
        return new Options(inputs, kind, rank, executionTrace, computeLists, chosen, launches);
    }

    private Kind kind() throws IOException {
        boolean lists = true;
        for (Path input : inputs) {
            lists &= KernelList.recognises(input);
        }
        if (lists) {
            return Kind.LISTS;
        }
        if (inputs.size() > 1) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "one trace at a time",
                    "Lists of several traces can be put together: lockstep kernels extract A.jsonl B.jsonl.");
        }
        if (!computeLists.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--compute-csvs goes with lists of kernels, not with a trace", null);
        }
        TraceInput input = TraceInput.of(inputs.getFirst());
        TraceFiles.demandFile(input);
        return ExecutionTraceReader.matches(input) ? Kind.EXECUTION_TRACE : Kind.TRACE;
    }

    private void demandFitting(Kind kind) {
        String problem = null;
        if (executionTrace != null && kind == Kind.LISTS) {
            problem = "--execution-trace goes with a trace, not with lists of kernels";
        } else if (executionTrace != null && kind == Kind.EXECUTION_TRACE) {
            problem = "--execution-trace goes with a trace of the profiler; INPUT is an execution trace itself";
        } else if (kind == Kind.EXECUTION_TRACE && rank >= 0) {
            problem = "--rank: an execution trace is of a single rank";
        }
        if (problem != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, problem, null);
        }
    }

    /** The parts of a list that commas divide. */
    static List<String> split(String list) {
        return Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static List<Path> paths(List<String> names) {
        return names.stream().map(FileNames::path).toList();
    }
}
