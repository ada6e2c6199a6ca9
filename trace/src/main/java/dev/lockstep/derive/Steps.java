// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The iterations of the program, on the host's clock. They come from marks in the trace, else from what shows
 * the steps of training beyond doubt; {@link #source} says which. A {@link RepeatingSection} is no step.
 */
public final class Steps {
    /**
     * Steps from marks.
     *
     * @param annotation name of the annotations that mark steps, without a trailing number; null for the profiler's own
     */
    public record Key(@Nullable String annotation) implements Derived<Steps> {
        @Override
        public Steps derive(Trace trace, DerivedCache cache) {
            Steps marked = marked(trace, annotation);
            if (!marked.steps.isEmpty() || annotation != null) {
                return marked;
            }
            StepEvidence evidence = StepEvidence.of(trace);
            return evidence.words() == null
                    ? marked
                    : new Steps(Source.INFERRED, evidence.steps(), new int[0], evidence.words());
        }
    }

    /** How steps are known. */
    public enum Source {
        /** Annotations of the profiler or the user. */
        ANNOTATION,
        /** Nothing marks steps, but the recording shows them: {@link Steps#evidence}. */
        INFERRED,
        /** Nothing marks steps and nothing shows where one begins, though a section may repeat. */
        NONE
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
    private static final Pattern NUMBER = Pattern.compile("[#\\s_-]*+(\\d{1,18})$");

    /** Profilers of old wrote whole microseconds. */
    private static final long ROUNDING_NS = 1_000;

    private final Source source;
    private final List<Step> steps;
    private final int[] marks;
    private final @Nullable String evidence;

    private Steps(Source source, List<Step> steps, int[] marks, @Nullable String evidence) {
        this.source = source;
        this.steps = List.copyOf(steps);
        this.marks = marks;
        this.evidence = evidence;
    }

    /** What shows the steps where they are inferred, as a part of a sentence; else null. */
    public @Nullable String evidence() {
        return evidence;
    }

    public Source source() {
        return source;
    }

    /** In order of time; they do not overlap. */
    public List<Step> steps() {
        return steps;
    }

    /** The slice that marks each of {@link #steps}; none where nothing marks them. */
    public int[] marks() {
        return marks.clone();
    }

    /** Index of the step in which the moment lies, or -1. */
    public int at(long ts) {
        int from = 0;
        int to = steps.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (steps.get(middle).start() <= ts) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from > 0 && ts < steps.get(from - 1).end() ? from - 1 : -1;
    }

    /**
     * The number of the step that an annotation of this name marks; -1 when it marks none.
     *
     * @param annotation as in {@link Key}
     * @param unnumbered the number when the name carries none
     */
    public static long number(String name, @Nullable String annotation, int unnumbered) {
        String mark = annotation == null ? PROFILER_STEP : annotation;
        if (!name.startsWith(mark)) {
            return -1;
        }
        if (name.length() == mark.length()) {
            return unnumbered;
        }
        Matcher rest = NUMBER.matcher(name.substring(mark.length()));
        return rest.lookingAt() ? Long.parseLong(rest.group(1)) : -1;
    }

    /**
     * The slices that mark steps, in order of time; unlike {@link #steps}, they may overlap.
     *
     * @param annotation as in {@link Key}
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

    /**
     * Of marks that overlap, as when several threads carry them, the first counts. Where times are rounded, a mark may reach
     * into the next one of its thread by as much: it ends there.
     */
    private static Steps marked(Trace trace, @Nullable String annotation) {
        Slices slices = trace.slices();
        int[] found = marks(trace, annotation);
        List<Step> steps = new ArrayList<>();
        IntList marks = new IntList(found.length);
        for (int i = 0; i < found.length; i++) {
            if (!steps.isEmpty() && isRounded(slices, marks.get(marks.size() - 1), found[i])) {
                Step last = steps.removeLast();
                steps.add(new Step(last.number(), last.start(), slices.ts(found[i])));
            }
            if (steps.isEmpty() || slices.ts(found[i]) >= steps.getLast().end()) {
                steps.add(new Step(
                        number(trace.name(found[i]), annotation, i), slices.ts(found[i]), slices.end(found[i])));
                marks.add(found[i]);
            }
        }
        return new Steps(found.length == 0 ? Source.NONE : Source.ANNOTATION, steps, marks.toArray(), null);
    }

    /** Whether a slice reaches into a later one of its thread, and by no more than times are rounded by. */
    private static boolean isRounded(Slices slices, int mark, int next) {
        long overlap = slices.end(mark) - slices.ts(next);
        return slices.track(mark) == slices.track(next)
                && overlap > 0
                && overlap <= ROUNDING_NS
                && slices.ts(next) - slices.ts(mark) > ROUNDING_NS
                && slices.end(next) > slices.end(mark);
    }
}
