// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.codec.Glob;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.StepDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The iterations of the program, of training or of serving, on the host's clock. This is the one definition of a step. Steps come from
 * the first of these that the trace has: marks of the profiler, marks of a serving engine, marks of XLA, what shows steps beyond doubt.
 * {@link #source} says which. A {@link RepeatingSection} is no step.
 */
public final class Steps {
    /**
     * The steps of a trace.
     *
     * @param annotation the annotations that mark steps: their name without a trailing number, or a pattern in which {@code *} stands
     *     for anything, as {@link #number} says; null to find what marks them
     */
    public record Key(@Nullable String annotation) implements Derived<Steps> {
        @Override
        public Steps derive(Trace trace, DerivedCache cache) {
            if (annotation != null) {
                return annotated(trace, annotation);
            }
            Steps profiler = annotated(trace, null);
            if (profiler.source != Source.NONE) {
                return profiler;
            }
            Iterations served = cache.get(new Iterations.Key());
            if (!served.all().isEmpty()) {
                return of(trace, Source.SERVING, served.marks(), (slice, place) -> place, null, STEP);
            }
            Steps xla = numbered(trace);
            return xla.source != Source.NONE ? xla : inferred(trace);
        }
    }

    /** How steps are known. */
    public enum Source {
        /** Annotations of the profiler, of XLA or of the user. */
        ANNOTATION,
        /** Annotations of a serving engine: {@link Iterations}. */
        SERVING,
        /** Nothing is meant to mark steps, but the recording shows them: {@link Steps#evidence}. */
        INFERRED,
        /** Nothing marks steps and nothing shows where one begins, though a section may repeat. */
        NONE;

        /** Whether something is meant to mark the steps. */
        public boolean isMarked() {
            return this == ANNOTATION || this == SERVING;
        }
    }

    /** The number of the step that a mark begins. */
    private interface Numbering {
        long of(int slice, int place);
    }

    /**
     * One iteration.
     *
     * @param number as the annotation counts, or from 0
     * @param start begin on the host in ns
     * @param end end on the host in ns
     */
    public record Step(long number, long start, long end) {}

    private static final String PROFILER_STEP = "ProfilerStep";
    private static final String STEP = "step";
    private static final Pattern NUMBER = Pattern.compile("[#\\s_-]*+(\\d{1,18})$");

    private final Source source;
    private final List<Step> steps;
    private final int[] marks;
    private final @Nullable String evidence;
    private final String name;
    private final int overlapping;

    private Steps(Source source, List<Step> steps, int[] marks, @Nullable String evidence, String name) {
        this(source, steps, marks, evidence, name, 0);
    }

    private Steps(
            Source source, List<Step> steps, int[] marks, @Nullable String evidence, String name, int overlapping) {
        this.source = source;
        this.steps = List.copyOf(steps);
        this.marks = marks;
        this.evidence = evidence;
        this.name = name;
        this.overlapping = overlapping;
    }

    /** Marks that do not count because they begin before the step before them ends, and end later, on its thread. */
    public int overlapping() {
        return overlapping;
    }

    /** What shows the steps where they are inferred, as a part of a sentence; else null. */
    public @Nullable String evidence() {
        return evidence;
    }

    public Source source() {
        return source;
    }

    /** What a step is called, without its number: after the one name that all marks have, else {@code step}. */
    public String name() {
        return name;
    }

    /** In order of time; they do not overlap. */
    public List<Step> steps() {
        return steps;
    }

    /** The slice that marks each of {@link #steps}; none where no slice lasts as long as a step. */
    public int[] marks() {
        return marks.clone();
    }

    /** Index of the step in which the moment lies, or -1. */
    public int at(long ts) {
        int from = LongOrder.leading(steps.size(), place -> steps.get(place).start() <= ts);
        return from > 0 && ts < steps.get(from - 1).end() ? from - 1 : -1;
    }

    /**
     * The number of the step that an annotation of this name marks; -1 when it marks none. A name marks steps when it is that of the
     * mark, with or without a number behind it. A pattern must match the whole name. If its only {@code *} is its last character, and
     * stands for a number, this is the number of the step.
     *
     * @param annotation as in {@link Key}
     * @param unnumbered the number when the name carries none
     */
    public static long number(String name, @Nullable String annotation, int unnumbered) {
        String mark = annotation == null ? PROFILER_STEP : annotation;
        int open = mark.indexOf('*');
        if (open < 0 ? !name.startsWith(mark) : !new Glob(mark).matches(name)) {
            return -1;
        }
        int from = open < 0 ? mark.length() : open;
        boolean numbered = open < 0 || open == mark.length() - 1;
        if (!numbered || name.length() == from) {
            return unnumbered;
        }
        Matcher rest = NUMBER.matcher(name.substring(from));
        return rest.lookingAt() ? Long.parseLong(rest.group(1)) : open < 0 ? -1 : unnumbered;
    }

    /**
     * The slices that have the name of a mark, in order of time; unlike {@link #steps}, they may overlap.
     *
     * @param annotation as in {@link Key}; null for the profiler's own marks
     */
    public static int[] marks(Trace trace, @Nullable String annotation) {
        Slices slices = trace.slices();
        boolean named = annotation != null && !annotation.equals(PROFILER_STEP);
        IntList found = new IntList(16);
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            boolean marks =
                    kind == SliceKind.ANNOTATION || kind == SliceKind.CPU_OP || kind == SliceKind.HOST_OTHER && named;
            if (marks && slices.dur(i) > 0 && number(trace.name(i), annotation, found.size()) >= 0) {
                found.add(i);
            }
        }
        return found.toArray();
    }

    private static Steps annotated(Trace trace, @Nullable String annotation) {
        return of(
                trace,
                Source.ANNOTATION,
                marks(trace, annotation),
                (slice, place) -> number(trace.name(slice), annotation, place),
                null,
                annotation == null ? PROFILER_STEP : annotation.indexOf('*') < 0 ? annotation : STEP);
    }

    /** Steps whose marks carry their number as an argument, as XLA's do. */
    private static Steps numbered(Trace trace) {
        StepDetails details = trace.view(StepDetails.KEY);
        IntList found = new IntList(16);
        for (int row = 0; details != null && row < details.size(); row++) {
            int slice = details.slice(row);
            boolean marks =
                    !trace.slices().kind(slice).isOnDevice() && trace.slices().dur(slice) > 0;
            if (marks && details.number(row) >= 0) {
                found.add(slice);
            }
        }
        return of(
                trace,
                Source.ANNOTATION,
                found.toArray(),
                (slice, place) -> details == null ? place : details.number(details.of(slice)),
                null,
                STEP);
    }

    private static Steps inferred(Trace trace) {
        StepEvidence evidence = StepEvidence.of(trace);
        if (evidence.words() != null) {
            return new Steps(Source.INFERRED, evidence.steps(), new int[0], evidence.words(), STEP);
        }
        RepeatedPasses repeated = RepeatedPasses.of(trace);
        int[] marks = repeated.marks().slices();
        return of(
                trace,
                Source.INFERRED,
                marks,
                (slice, place) -> place,
                "annotations '" + repeated.name() + "' run " + marks.length
                        + " times, over more than half of the time of all annotations",
                STEP);
    }

    private static Steps of(
            Trace trace, Source source, int[] found, Numbering numbers, @Nullable String evidence, String name) {
        StepMarks marks = StepMarks.of(trace.slices(), found);
        List<Step> steps = new ArrayList<>();
        int place = 0;
        for (int i = 0; i < marks.size(); i++) {
            int slice = marks.slice(i);
            while (found[place] != slice) {
                place++;
            }
            steps.add(new Step(numbers.of(slice, place), trace.slices().ts(slice), marks.end(i)));
        }
        return steps.isEmpty()
                ? new Steps(Source.NONE, steps, new int[0], null, name)
                : new Steps(source, steps, marks.slices(), evidence, name, marks.crossing());
    }
}
