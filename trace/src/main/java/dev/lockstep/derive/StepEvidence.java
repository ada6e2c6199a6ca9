// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Steps of training that nothing marks, where the recording shows them beyond doubt. All of this must hold:
 *
 * <ul>
 *   <li>the optimizer runs at least three times, on one thread, inside of the same annotation if any;
 *   <li>each time what comes next on that thread begins a pass (gradients set to zero, a batch loaded, a forward pass), under
 *       the same name, and so soon that the step's begin is known to {@value #MOST_DOUBT} of its length;
 *   <li>at least {@value #FEWEST_ONCE} further operators or annotations run exactly once in each step;
 *   <li>where frames of the Python stack were recorded, the optimizer is called from one and the same frame, by the same way.
 * </ul>
 *
 * <p>What ran before the first optimizer is no step: where it began was not recorded.
 */
final class StepEvidence {
    private static final Pattern BEGIN = Pattern.compile(
            "(?i)zero_?grad|data_?loader|(load|next|get|fetch)_?(batch|data)|data_?load|(?<![a-z])forward|embedding");
    private static final Pattern NUMBERS = Pattern.compile("\\d+");
    private static final int FEWEST_REPEATS = 3;
    private static final int FEWEST_ONCE = 3;
    private static final double MOST_DOUBT = 0.01;
    private static final int MOST_NAMED = 3;

    /** Where an optimizer may end steps: its thread, what is around it, its name without numbers. */
    private record Place(int track, int parent, String name) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int c = Integer.compare(track, other.track);
            c = c != 0 ? c : Integer.compare(parent, other.parent);
            return c != 0 ? c : name.compareTo(other.name);
        }
    }

    private final Trace trace;
    private final Slices slices;
    private final int[] parent;
    private final int[] nextSibling;
    private List<Step> steps = List.of();
    private @Nullable String words;

    private StepEvidence(Trace trace) {
        this.trace = trace;
        this.slices = trace.slices();
        this.parent = new int[slices.size()];
        this.nextSibling = new int[slices.size()];
    }

    /** What a trace shows. */
    static StepEvidence of(Trace trace) {
        StepEvidence evidence = new StepEvidence(trace);
        for (Map.Entry<Place, IntList> one : evidence.optimizers().entrySet()) {
            if (one.getValue().size() >= FEWEST_REPEATS && evidence.steps.isEmpty()) {
                evidence.judge(one.getKey(), one.getValue().toArray());
            }
        }
        return evidence;
    }

    /** Empty when nothing shows steps. */
    List<Step> steps() {
        return steps;
    }

    /** What shows the steps, in words; null when nothing does. */
    @Nullable
    String words() {
        return words;
    }

    private boolean isFramework(int slice) {
        SliceKind kind = slices.kind(slice);
        return kind == SliceKind.ANNOTATION || kind == SliceKind.CPU_OP;
    }

    /** Whether the name speaks of the optimizer, and not of setting its gradients to zero. */
    private static boolean isOptimizer(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        int optimizer = lower.lastIndexOf("optim");
        return optimizer >= 0 && lower.indexOf("zero", optimizer) < 0;
    }

    private String plainName(int slice) {
        return NUMBERS.matcher(trace.name(slice)).replaceAll("#");
    }

    /** Nests operators and annotations, and finds what may be an optimizer. */
    private Map<Place, IntList> optimizers() {
        Arrays.fill(parent, -1);
        Arrays.fill(nextSibling, -1);
        int[] top = new int[trace.tracks().size()];
        int[] lastRoot = new int[top.length];
        int[] lastChild = new int[slices.size()];
        Arrays.fill(top, -1);
        Arrays.fill(lastRoot, -1);
        Arrays.fill(lastChild, -1);
        Map<Place, IntList> found = new TreeMap<>();
        byte[] judged = new byte[trace.strings().size()];
        for (int i = 0; i < slices.size(); i++) {
            if (!isFramework(i)) {
                continue;
            }
            int track = slices.track(i);
            int above = top[track];
            while (above >= 0 && slices.end(above) <= slices.ts(i)) {
                above = parent[above];
            }
            parent[i] = above;
            top[track] = i;
            int before = above < 0 ? lastRoot[track] : lastChild[above];
            if (before >= 0) {
                nextSibling[before] = i;
            }
            if (above < 0) {
                lastRoot[track] = i;
            } else {
                lastChild[above] = i;
            }
            int name = slices.name(i);
            if (judged[name] == 0) {
                judged[name] = (byte) (isOptimizer(trace.name(i)) ? 1 : 2);
            }
            if (judged[name] == 1) {
                found.computeIfAbsent(new Place(track, above, plainName(i)), place -> new IntList(8))
                        .add(i);
            }
        }
        return found;
    }

    private void judge(Place place, int[] optimizers) {
        int n = optimizers.length;
        long[] bounds = new long[n];
        long[] doubts = new long[n - 1];
        String begin = null;
        for (int i = 0; i + 1 < n; i++) {
            int next = nextSibling[optimizers[i]];
            if (next < 0
                    || !BEGIN.matcher(trace.name(next)).find()
                    || begin != null && !begin.equals(plainName(next))) {
                return;
            }
            begin = plainName(next);
            bounds[i] = slices.ts(next);
            doubts[i] = slices.ts(next) - slices.end(optimizers[i]);
        }
        long[] sorted = doubts.clone();
        Arrays.sort(sorted);
        bounds[n - 1] = slices.end(optimizers[n - 1]) + Quantiles.upperMedian(sorted, 0);
        for (int i = 0; i + 1 < n; i++) {
            if (doubts[i] > (bounds[i + 1] - bounds[i]) * MOST_DOUBT
                    || i > 0 && doubts[i] > (bounds[i] - bounds[i - 1]) * MOST_DOUBT) {
                return;
            }
        }
        List<String> once = once(bounds, List.of(place.name, begin == null ? "" : begin));
        Frames frames = Frames.of(trace, place.track, optimizers);
        if (once.size() < FEWEST_ONCE || frames != null && frames.common == null) {
            return;
        }
        List<Step> found = new ArrayList<>();
        for (int i = 0; i + 1 < n; i++) {
            found.add(new Step(i, bounds[i], bounds[i + 1]));
        }
        steps = List.copyOf(found);
        words = "'" + place.name + "' ends each and '" + begin + "' begins the next; " + once.size()
                + " operators and annotations run once in each, among them "
                + String.join(", ", once.subList(0, Math.min(MOST_NAMED, once.size())))
                + (frames == null ? "" : "; the host returns to the frame " + frames.common);
    }

    /** Names of operators and annotations, on any thread, that begin exactly once between any two bounds. */
    private List<String> once(long[] bounds, List<String> without) {
        int sections = bounds.length - 1;
        int[] lastSection = new int[trace.strings().size()];
        int[] inSections = new int[lastSection.length];
        Arrays.fill(lastSection, -1);
        int section = -1;
        for (int i = 0; i < slices.size(); i++) {
            while (section + 1 < bounds.length && slices.ts(i) >= bounds[section + 1]) {
                section++;
            }
            if (section < 0 || section >= sections || !isFramework(i)) {
                continue;
            }
            int name = slices.name(i);
            inSections[name] = lastSection[name] == section - 1 && inSections[name] == section ? section + 1 : -1;
            lastSection[name] = section;
        }
        List<String> names = new ArrayList<>();
        for (int name = 0; name < inSections.length; name++) {
            if (inSections[name] == sections
                    && !without.contains(
                            NUMBERS.matcher(trace.strings().get(name)).replaceAll("#"))) {
                names.add(trace.strings().get(name));
            }
        }
        names.sort(null);
        return names;
    }

    /**
     * The frames of the Python stack around calls.
     *
     * @param common the innermost frame around all calls; null when the calls are not made in the same way from one
     */
    private record Frames(@Nullable String common) {
        /** Null when no frames were recorded on the thread. */
        static @Nullable Frames of(Trace trace, int track, int[] calls) {
            Slices slices = trace.slices();
            IntList stack = new IntList(32);
            List<int[]> around = new ArrayList<>();
            boolean any = false;
            int next = 0;
            for (int i = 0; i < slices.size() && next < calls.length; i++) {
                boolean python = slices.kind(i) == SliceKind.PYTHON;
                if (slices.track(i) != track || !python && i != calls[next]) {
                    continue;
                }
                any |= python;
                while (stack.size() > 0 && slices.end(stack.get(stack.size() - 1)) <= slices.ts(i)) {
                    stack.removeLast();
                }
                if (python) {
                    stack.add(i);
                } else {
                    around.add(stack.toArray());
                    next++;
                }
            }
            if (!any) {
                return null;
            }
            int[] first = around.getFirst();
            int shared = first.length;
            for (int[] frames : around) {
                shared = Math.min(shared, frames.length);
                for (int i = 0; i < shared; i++) {
                    shared = frames[i] == first[i] ? shared : i;
                }
            }
            for (int[] frames : around) {
                if (shared == 0 || !way(trace, frames, shared).equals(way(trace, first, shared))) {
                    return new Frames(null);
                }
            }
            return new Frames(trace.name(first[shared - 1]));
        }

        private static List<String> way(Trace trace, int[] frames, int from) {
            List<String> names = new ArrayList<>();
            for (int i = from; i < frames.length; i++) {
                names.add(trace.name(frames[i]));
            }
            return names;
        }
    }
}
