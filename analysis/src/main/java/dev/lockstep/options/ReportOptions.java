// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.options;

import dev.lockstep.model.Trace;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a report of one rank shall hold. Start from {@link #standard} and exchange the groups that differ.
 *
 * @param times how time is split
 * @param operators what the sheets about operators tell apart and show
 * @param kernels what is said about kernels
 * @param models what work is measured against
 * @param serving what is known about traces of serving engines
 * @param paths what is asked about dependencies
 * @param launches what is asked about launches
 * @param collectives whether collectives are listed
 * @param baseline another run to compare with, or null
 */
public record ReportOptions(
        Times times,
        Operators operators,
        Kernels kernels,
        Models models,
        Serving serving,
        Paths paths,
        Launches launches,
        boolean collectives,
        @Nullable Trace baseline) {
    /**
     * How time is split.
     *
     * @param microIdleNs splits idle time at this length; -1 not to
     * @param unlinked whether device activity without a known launch counts, where rules would leave it out
     * @param recompute whether recomputation is told apart
     * @param stepAnnotation what marks steps, null to find what does
     */
    public record Times(
            long microIdleNs,
            boolean unlinked,
            boolean recompute,
            @Nullable String stepAnnotation) {
        /** Idle time in one piece, everything counted. */
        public static final Times STANDARD = new Times(-1, true, false, null);
    }

    /**
     * What the sheets about operators tell apart and show.
     *
     * @param kernelCount tells operators apart by the number of their kernels
     * @param module tells operators apart by the module of the network that they belong to
     * @param firstOccurrence shows when operators ran first
     * @param callStacks shows from where operators were called
     * @param overlaps shows what ran on other streams at the same time
     */
    public record Operators(
            boolean kernelCount, boolean module, boolean firstOccurrence, boolean callStacks, boolean overlaps) {
        /** Nothing beyond what is always there. */
        public static final Operators STANDARD = new Operators(false, false, false, false, false);
    }

    /**
     * What is said about kernels.
     *
     * @param summary whether they are listed
     * @param studyShort whether short kernels are studied
     * @param shortNs kernels of less than this are short
     * @param shortBins bars of their histogram
     */
    public record Kernels(boolean summary, boolean studyShort, long shortNs, int shortBins) {
        /** Short means less than this, in ns, when nothing else is said. */
        public static final long DEFAULT_SHORT_NS = 10_000;

        /** Bars of the histogram of short kernels when nothing else is said. */
        public static final int DEFAULT_BINS = 100;

        /** Everything, with the usual limits. */
        public static final Kernels STANDARD = new Kernels(true, true, DEFAULT_SHORT_NS, DEFAULT_BINS);
    }

    /**
     * What work is measured against.
     *
     * @param device null for the device that the trace names
     * @param definitions further operators; null for the built-in ones alone
     */
    public record Models(@Nullable Device device, @Nullable Definitions definitions) {
        /** The built-in operators on the device that the trace names. */
        public static final Models STANDARD = new Models(null, null);
    }

    /**
     * Operators that a user describes.
     *
     * @param source the name of the file, for messages
     * @param json its content
     */
    public record Definitions(String source, String json) {}

    /**
     * What is known about traces of serving engines.
     *
     * @param inference whether the trace is of inference alone, without backward passes
     * @param pseudoOps whether operators that hold several steps of work are taken apart
     * @param captures folder of the traces that were recorded while graphs were captured, or null
     */
    public record Serving(
            boolean inference, boolean pseudoOps, @Nullable Path captures) {
        /** Nothing is known. */
        public static final Serving NONE = new Serving(false, false, null);
    }

    /**
     * What is asked about dependencies. Why nothing was computed, and what mending would gain, is always said.
     *
     * @param window whose critical paths are shown: {@link #WHOLE}, {@link #STEP}, the name of annotations, or that of one of them,
     *     as in {@code forward#2}, counted from 0; null for none
     * @param edits scenarios to try: edits such as {@code host=x0.5}, joined by semicolons
     * @param stepNs what a step takes without the profiler, in ns, so that gains are given for that; 0 where nobody said
     */
    public record Paths(@Nullable String window, List<String> edits, long stepNs) {
        /** The window that is the whole recording. */
        public static final String WHOLE = "all";

        /** The windows that are its steps. */
        public static final String STEP = "step";

        /** No paths, no scenarios. */
        public static final Paths STANDARD = new Paths(null, List.of());

        /**
         * Steps take what was recorded.
         *
         * @param window whose critical paths are shown; null for none
         * @param edits scenarios to try
         */
        public Paths(@Nullable String window, List<String> edits) {
            this(window, edits, 0);
        }

        /** Keeps the edits as they are; they are understood when they are tried. */
        public Paths {
            edits = List.copyOf(edits);
        }

        /** {@return whether any path or scenario is asked for} */
        public boolean isAsked() {
            return window != null || !edits.isEmpty();
        }
    }

    /**
     * What is asked about launches.
     *
     * @param queueLimit launches that fill the queue of a stream
     * @param sequencesOf part of the name of operators whose sequences of kernels are listed, or null
     * @param leastKernels kernels that such a sequence has at least
     */
    public record Launches(int queueLimit, @Nullable String sequencesOf, int leastKernels) {
        /** Entries that the launch queue of a CUDA stream takes. */
        public static final int DEFAULT_LIMIT = 1024;

        /** Kernels of a sequence when nothing else is said. */
        public static final int DEFAULT_LEAST = 3;

        /** Nothing that must be asked for. */
        public static final Launches STANDARD = new Launches(DEFAULT_LIMIT, null, DEFAULT_LEAST);
    }

    /** {@return the usual: everything that costs nothing to have} */
    public static ReportOptions standard() {
        return new ReportOptions(
                Times.STANDARD,
                Operators.STANDARD,
                Kernels.STANDARD,
                Models.STANDARD,
                Serving.NONE,
                Paths.STANDARD,
                Launches.STANDARD,
                true,
                null);
    }

    /**
     * {@return the same, but for how time is split}
     *
     * @param other how time is split
     */
    public ReportOptions with(Times other) {
        return new ReportOptions(other, operators, kernels, models, serving, paths, launches, collectives, baseline);
    }

    /**
     * {@return the same, but for what sheets about operators tell apart and show}
     *
     * @param other what they tell apart and show
     */
    public ReportOptions with(Operators other) {
        return new ReportOptions(times, other, kernels, models, serving, paths, launches, collectives, baseline);
    }

    /**
     * {@return the same, but for what is said about kernels}
     *
     * @param other what is said about kernels
     */
    public ReportOptions with(Kernels other) {
        return new ReportOptions(times, operators, other, models, serving, paths, launches, collectives, baseline);
    }

    /**
     * {@return the same, but for what work is measured against}
     *
     * @param other what work is measured against
     */
    public ReportOptions with(Models other) {
        return new ReportOptions(times, operators, kernels, other, serving, paths, launches, collectives, baseline);
    }

    /**
     * {@return the same, but for what is known about serving}
     *
     * @param other what is known about the trace
     */
    public ReportOptions with(Serving other) {
        return new ReportOptions(times, operators, kernels, models, other, paths, launches, collectives, baseline);
    }

    /**
     * {@return the same, but for what is asked about dependencies}
     *
     * @param other what is asked about them
     */
    public ReportOptions with(Paths other) {
        return new ReportOptions(times, operators, kernels, models, serving, other, launches, collectives, baseline);
    }

    /**
     * {@return the same, but for what is asked about launches}
     *
     * @param other what is asked about them
     */
    public ReportOptions with(Launches other) {
        return new ReportOptions(times, operators, kernels, models, serving, paths, other, collectives, baseline);
    }

    /**
     * {@return the same, compared with another run}
     *
     * @param other the run to compare with, null for none
     */
    public ReportOptions withBaseline(@Nullable Trace other) {
        return new ReportOptions(times, operators, kernels, models, serving, paths, launches, collectives, other);
    }
}
