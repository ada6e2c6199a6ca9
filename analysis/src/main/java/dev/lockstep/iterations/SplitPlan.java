// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IterationAnnotation;
import dev.lockstep.model.IterationAnnotation.Format;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The iterations of a trace.
 *
 * @param source how they are known
 * @param windows in order of time; each ends where the next one starts
 */
public record SplitPlan(Source source, List<Window> windows) {
    /** How iterations are known. */
    public enum Source {
        /** Annotations of a serving engine, with what is in each batch. */
        SERVING("annotations of a serving engine"),
        /** Step marks of the profiler, or annotations that were asked for. */
        STEPS("step marks"),
        /** Nothing is marked; what the recording shows of steps. */
        INFERRED("what runs once in each, or repeats"),
        /** There are none. */
        NONE("nothing");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        /** In a sentence: found by …. */
        public String words() {
            return words;
        }
    }

    public SplitPlan {
        windows = List.copyOf(windows);
    }

    /**
     * Finds iterations: the steps of the trace, as {@link Steps} has them.
     *
     * @param annotation names the annotations that mark iterations; null to look for them
     */
    public static SplitPlan of(DerivedCache cache, @Nullable String annotation) {
        Steps steps = cache.get(new Steps.Key(annotation));
        List<Window> spans = new ArrayList<>();
        for (int i = 0; i < steps.steps().size(); i++) {
            Steps.Step step = steps.steps().get(i);
            IterationAnnotation batch = batch(cache.get(new Iterations.Key()), step);
            String name = steps.source() == Steps.Source.SERVING
                    ? cache.trace().name(steps.marks()[i])
                    : "step " + step.number();
            spans.add(new Window(name, step.start(), step.end(), step.end(), batch));
        }
        return new SplitPlan(source(steps.source()), tiled(spans));
    }

    /** What a serving engine noted of the batch of a step; null where it noted none or several. */
    private static @Nullable IterationAnnotation batch(Iterations iterations, Steps.Step step) {
        int last = iterations.lastBefore(step.end());
        boolean one = last >= 0
                && iterations.all().get(last).start() >= step.start()
                && (last == 0 || iterations.all().get(last - 1).start() < step.start());
        return one ? iterations.all().get(last).annotation() : null;
    }

    private static Source source(Steps.Source source) {
        return switch (source) {
            case ANNOTATION -> Source.STEPS;
            case SERVING -> Source.SERVING;
            case INFERRED -> Source.INFERRED;
            case NONE -> Source.NONE;
        };
    }

    /** Whether annotations say what is in the batches, so that phases can be told apart. */
    public boolean knowsBatches() {
        return windows.stream()
                .anyMatch(w -> w.annotation() != null && w.annotation().format() != Format.DIFFUSION);
    }

    private static List<Window> tiled(List<Window> spans) {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < spans.size(); i++) {
            Window w = spans.get(i);
            long end = i + 1 < spans.size() ? spans.get(i + 1).start() : w.hostEnd();
            windows.add(new Window(w.name(), w.start(), end, w.hostEnd(), w.annotation()));
        }
        return windows;
    }
}
