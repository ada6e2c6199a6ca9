// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IterationAnnotation.Format;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
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
        /** An annotation that repeats. */
        REPEATED("annotations that repeat"),
        /** Nothing is marked; what the recording shows of steps. */
        INFERRED("what runs once in each"),
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

    private static final int FEWEST_REPEATS = 3;
    /** Ends of names of a whole pass. Layers, blocks, loading of data and optimizers repeat, too, inside of one. */
    private static final Pattern PASS = Pattern.compile(
            "(?i)(?<!micro)(?<!micro[ _-])(iteration|iter|step|batch|request|epoch|forward|decode|prefill|inference|train|execute|generate)s?[^a-z]*$");

    private static final Pattern PART = Pattern.compile("(?i)optim|load|layer|block|module|expert|head|stage");

    public SplitPlan {
        windows = List.copyOf(windows);
    }

    /**
     * Finds iterations: by annotations of serving engines, then step marks, then what {@link Steps} infers, then an
     * annotation that repeats at least three times, covers more than half of all annotations' span and is named for a pass
     * and not for a part of one.
     *
     * @param annotation names the annotations that mark iterations; null to look for them
     */
    public static SplitPlan of(DerivedCache cache, @Nullable String annotation) {
        if (annotation != null) {
            return of(Source.STEPS, cache.get(new Steps.Key(annotation)));
        }
        List<Iterations.Iteration> serving = cache.get(new Iterations.Key()).all();
        if (!serving.isEmpty()) {
            List<Window> spans = new ArrayList<>();
            for (Iterations.Iteration one : serving) {
                String name = cache.trace().name(one.slice());
                spans.add(new Window(name, one.start(), one.end(), one.end(), one.annotation()));
            }
            return new SplitPlan(Source.SERVING, tiled(spans));
        }
        Steps steps = cache.get(new Steps.Key(null));
        if (steps.source() == Steps.Source.ANNOTATION) {
            return of(Source.STEPS, steps);
        }
        if (steps.source() == Steps.Source.INFERRED) {
            return of(Source.INFERRED, steps);
        }
        List<Window> repeated = repeated(cache.trace());
        return repeated.isEmpty()
                ? new SplitPlan(Source.NONE, List.of())
                : new SplitPlan(Source.REPEATED, tiled(repeated));
    }

    /** Whether annotations say what is in the batches, so that phases can be told apart. */
    public boolean knowsBatches() {
        return source == Source.SERVING
                && windows.stream()
                        .anyMatch(w -> w.annotation() != null && w.annotation().format() != Format.DIFFUSION);
    }

    private static SplitPlan of(Source source, Steps steps) {
        List<Window> spans = new ArrayList<>();
        for (Steps.Step step : steps.steps()) {
            spans.add(new Window("step " + step.number(), step.start(), step.end(), step.end(), null));
        }
        return new SplitPlan(spans.isEmpty() ? Source.NONE : source, tiled(spans));
    }

    /** An annotation that stands again and again, under one name but for numbers. The one that covers most wins. */
    private static List<Window> repeated(Trace trace) {
        Slices slices = trace.slices();
        Map<String, List<Window>> named = new HashMap<>();
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.ANNOTATION && slices.dur(i) > 0) {
                first = Math.min(first, slices.ts(i));
                last = Math.max(last, slices.end(i));
                String name = trace.name(i);
                List<Window> own = named.computeIfAbsent(name.replaceAll("\\d+", "#"), n -> new ArrayList<>());
                if (own.isEmpty() || slices.ts(i) >= own.getLast().hostEnd()) {
                    own.add(new Window(name, slices.ts(i), slices.end(i), slices.end(i), null));
                }
            }
        }
        String best = null;
        long most = (last - first) / 2;
        for (Map.Entry<String, List<Window>> entry : new TreeMap<>(named).entrySet()) {
            long covered = 0;
            for (Window window : entry.getValue()) {
                covered += window.hostEnd() - window.start();
            }
            if (entry.getValue().size() >= FEWEST_REPEATS
                    && covered > most
                    && PASS.matcher(entry.getKey()).find()
                    && !PART.matcher(entry.getKey()).find()) {
                best = entry.getKey();
                most = covered;
            }
        }
        return best == null ? List.of() : named.getOrDefault(best, List.of());
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
