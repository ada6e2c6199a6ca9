// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The iterations of the program, on the host's clock. They come from marks in the trace, else from the pattern in which
 * kernels repeat; {@link #source} says which.
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
            Steps marked = marked(trace, annotation == null ? PROFILER_STEP : annotation);
            if (!marked.steps.isEmpty() || annotation != null) {
                return marked;
            }
            return inferred(trace, cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION)));
        }
    }

    /** How steps are known. */
    public enum Source {
        /** Annotations of the profiler or the user. */
        ANNOTATION,
        /** Nothing marks steps; the pattern of launches repeats. */
        INFERRED,
        /** Nothing marks steps and nothing repeats. */
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
    private static final Pattern NUMBER = Pattern.compile("[#\\s_-]*(\\d{1,18})$");
    private static final int FEWEST_REPEATS = 3;

    private final Source source;
    private final List<Step> steps;

    private Steps(Source source, List<Step> steps) {
        this.source = source;
        this.steps = List.copyOf(steps);
    }

    public Source source() {
        return source;
    }

    /** In order of time; they do not overlap. */
    public List<Step> steps() {
        return steps;
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

    private static Steps marked(Trace trace, String annotation) {
        Slices slices = trace.slices();
        List<Step> found = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind != SliceKind.ANNOTATION && kind != SliceKind.CPU_OP || slices.dur(i) == 0) {
                continue;
            }
            long number = number(trace.name(i), annotation, found.size());
            if (number >= 0) {
                found.add(new Step(number, slices.ts(i), slices.end(i)));
            }
        }
        return new Steps(found.isEmpty() ? Source.NONE : Source.ANNOTATION, disjoint(found));
    }

    /** Of marks that overlap, as when several threads carry them, the first stays. */
    private static List<Step> disjoint(List<Step> found) {
        found.sort(Comparator.comparingLong(Step::start));
        List<Step> kept = new ArrayList<>();
        for (Step step : found) {
            if (kept.isEmpty() || step.start() >= kept.getLast().end()) {
                kept.add(step);
            }
        }
        return kept;
    }

    /**
     * A kernel that runs once in every iteration stands at equal distances in the sequence of launches. Among the kernels
     * whose distances are all equal and cover more than half of the sequence, the one with the longest distance marks the
     * iterations; earlier in the sequence breaks ties.
     */
    private static Steps inferred(Trace trace, LaunchLinks links) {
        Slices slices = trace.slices();
        IntList launched = new IntList(1024);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.KERNEL) {
                launched.add(i);
            }
        }
        int n = launched.size();
        int names = trace.strings().size();
        int[] count = new int[names];
        int[] last = new int[names];
        int[] first = new int[names];
        int[] distance = new int[names];
        for (int i = 0; i < n; i++) {
            int name = slices.name(launched.get(i));
            if (count[name] == 0) {
                first[name] = i;
            } else if (count[name] == 1) {
                distance[name] = i - last[name];
            } else if (distance[name] != i - last[name]) {
                distance[name] = -1;
            }
            last[name] = i;
            count[name]++;
        }
        int best = -1;
        for (int i = 0; i < n; i++) {
            int name = slices.name(launched.get(i));
            boolean regular = first[name] == i && count[name] >= FEWEST_REPEATS && distance[name] > 1;
            if (regular
                    && (long) distance[name] * count[name] * 2 > n
                    && (best < 0 || distance[name] > distance[best])) {
                best = name;
            }
        }
        if (best < 0) {
            return new Steps(Source.NONE, List.of());
        }
        List<Step> steps = new ArrayList<>();
        long previous = Long.MIN_VALUE;
        for (int i = first[best]; i < n; i += distance[best]) {
            int call = links.launchOf(launched.get(i));
            long at = slices.ts(call >= 0 ? call : launched.get(i));
            if (previous != Long.MIN_VALUE && at > previous) {
                steps.add(new Step(steps.size(), previous, at));
            }
            if (at > previous) {
                previous = at;
            }
        }
        return new Steps(Source.INFERRED, steps);
    }
}
