// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.IterationAnnotation;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The iterations of an inference engine, as it marked them by annotations on the host. Detailed annotations win: where
 * there are any, native ones mark nothing. Of annotations inside each other the outer one is the iteration.
 */
public final class Iterations {
    /** From the annotations of the trace. */
    public record Key() implements Derived<Iterations> {
        @Override
        public Iterations derive(Trace trace, DerivedCache cache) {
            List<Iteration> detailed = marked(trace, true);
            return new Iterations(detailed.isEmpty() ? marked(trace, false) : detailed);
        }
    }

    /**
     * One iteration.
     *
     * @param slice the annotation
     * @param start begin on the host in ns
     * @param end end on the host in ns
     * @param annotation what its name says
     */
    public record Iteration(int slice, long start, long end, IterationAnnotation annotation) {
        /** Host time in ns. */
        public long duration() {
            return end - start;
        }
    }

    private final List<Iteration> iterations;

    private Iterations(List<Iteration> iterations) {
        this.iterations = List.copyOf(iterations);
    }

    /** In order of time; they do not overlap on the host. */
    public List<Iteration> all() {
        return iterations;
    }

    /** The annotations, in order of time. */
    int[] marks() {
        return iterations.stream().mapToInt(Iteration::slice).toArray();
    }

    /** Index of the iteration in which the moment lies, or -1. */
    public int at(long ts) {
        int last = lastBefore(ts + 1);
        return last >= 0 && ts < iterations.get(last).end ? last : -1;
    }

    /** Index of the last iteration that begins before a moment, or -1. */
    public int lastBefore(long ts) {
        return LongOrder.leading(iterations.size(), place -> iterations.get(place).start < ts) - 1;
    }

    private static List<Iteration> marked(Trace trace, boolean detailed) {
        Slices slices = trace.slices();
        IntList marks = new IntList(16);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) != SliceKind.ANNOTATION || slices.dur(i) == 0) {
                continue;
            }
            IterationAnnotation annotation = IterationAnnotation.parse(trace.name(i));
            if (annotation != null && annotation.format().detailed() == detailed) {
                marks.add(i);
            }
        }
        StepMarks counted = StepMarks.of(slices, marks.toArray());
        List<Iteration> found = new ArrayList<>();
        for (int i = 0; i < counted.size(); i++) {
            int slice = counted.slice(i);
            IterationAnnotation annotation = IterationAnnotation.parse(trace.name(slice));
            if (annotation != null) {
                found.add(new Iteration(slice, slices.ts(slice), counted.end(i), annotation));
            }
        }
        return found;
    }
}
