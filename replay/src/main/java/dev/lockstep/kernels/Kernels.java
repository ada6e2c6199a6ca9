// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Trace;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unique kernels of a recording: what ran, how often and how long, each kernel with its launch and its operator once.
 *
 * <pre>
 * Kernels kernels = Kernels.of(trace, null, Selection.standard());
 * long calls = kernels.result().calls();
 * kernels.write(List.of("trace.json"), Path.of("kernels"));
 * </pre>
 *
 * {@link GanttChart} shows when they ran.
 */
public final class Kernels {
    /** Writes every single launch. */
    private interface Launched {
        void write(Path file) throws IOException;
    }

    private final Result result;
    private final @Nullable Launched launched;

    private Kernels(Result result, @Nullable Launched launched) {
        this.result = result;
        this.launched = launched;
    }

    /**
     * The kernels, copies and fills of a trace.
     *
     * @param executed an execution trace of the same run, which knows shapes and types that the trace lacks; null for none
     */
    public static Kernels of(Trace trace, @Nullable ExecutionTrace executed, Selection selection) {
        DerivedCache cache = new DerivedCache(trace);
        Result result = new UniqueKernels(AnalysisRules.standard(), selection, executed).run(cache);
        Launches launches = result.launches();
        return new Kernels(
                result,
                launches == null
                        ? null
                        : file -> KernelFiles.launches(cache, launches, selection.stepAnnotation(), file));
    }

    /** The kernels of an execution trace that is linked with the profiler's, the operators of any other. */
    public static Kernels of(ExecutionTrace executed, Selection selection) {
        ExecutedKernels kernels = ExecutedKernels.of(executed, selection);
        return new Kernels(kernels.result(), kernels::writeLaunches);
    }

    /**
     * Lists that were written before, put together anew.
     *
     * @param computeLists lists with categories: only the kernels that they call {@code compute} are kept; empty for all
     * @throws dev.lockstep.error.TraceFormatException naming file and line when a list cannot be read
     */
    public static Kernels ofLists(List<Path> lists, List<Path> computeLists, Selection selection) throws IOException {
        return new Kernels(ListedKernels.of(lists, computeLists, selection), null);
    }

    /** What was found. */
    public Result result() {
        return result;
    }

    /** Whether the execution trace that was given knew any call of the trace; true where none was given. */
    public boolean isJoined() {
        Content.Joined joined = result.content().joined();
        return joined == null || joined.found() > 0;
    }

    /**
     * Facts, findings, kinds and sheets.
     *
     * @param source what the kernels were found in, for the title
     */
    public Report report(String source) {
        return KernelReport.of(result, source);
    }

    /**
     * Writes {@code unique_kernels.jsonl}, {@code kernel_counts.csv} and {@code summary.json}.
     *
     * @param inputs what the kernels were found in
     * @param folder one that exists
     */
    public void write(List<String> inputs, Path folder) throws IOException {
        KernelFiles.write(result, inputs, folder);
    }

    /** Writes {@code kernel_launches.csv} into a folder that exists; nothing where only sums are known, as in lists. */
    public void writeLaunches(Path folder) throws IOException {
        if (launched != null) {
            launched.write(folder.resolve("kernel_launches.csv"));
        }
    }
}
