// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.codec.Json;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.RepeatingSection;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Flows;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.table.LongOrder;
import dev.lockstep.words.Words;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** What a sound trace may lack or show, and a reader of numbers should know. */
public final class Observations {
    /** Numbers at which exporters are known to stop. */
    private static final List<Long> KNOWN_LIMITS = List.of(1_000_000L);

    private Observations() {}

    /** All observations, those made while reading included, by code. */
    public static List<Entry> of(DerivedCache cache) {
        return of(cache, null);
    }

    /**
     * All observations, those made while reading included, by code.
     *
     * @param stepAnnotation what marks steps, null to find what does
     */
    public static List<Entry> of(DerivedCache cache, @Nullable String stepAnnotation) {
        Trace trace = cache.trace();
        Diagnostics found = new Diagnostics();
        found.addAll(trace.diagnostics());
        note(
                found,
                "environment_left_out",
                "values of environment variables and other secrets in the metadata are neither shown nor handed on",
                trace.info().withheldValues());
        if (partOf(trace.info()) == null) {
            launches(cache, found); // of a part, the other end may be elsewhere
            arrows(trace, found);
        }
        UnknownDevices.of(trace)
                .ifPresent(unknown -> note(
                        found,
                        "unknown_device_slices",
                        unknown.words() + ": their category is not known, and they count nowhere",
                        unknown.slices()));
        steps(cache, stepAnnotation, found);
        CallTree tree = cache.get(AnalysisRules.standard().tree());
        if (tree.misfits() > 0) {
            note(
                    found,
                    "outlives_parent",
                    "host slices end after the slice in which they start; they were moved outwards",
                    tree.misfits());
        }
        if (KNOWN_LIMITS.contains(trace.counts().events())) {
            note(
                    found,
                    "round_count",
                    "the number of events is a known limit of exporters: the trace was probably cut there",
                    1);
        }
        return found.observations();
    }

    /** Which part of a recording the trace is; null where it is all of it. */
    public static @Nullable String partOf(TraceInfo info) {
        String part = info.metadata().get(TraceInfo.PART);
        try {
            return part != null && Json.parse(part) instanceof Json.Text text ? text.value() : null;
        } catch (IOException e) {
            return null; // somebody else's
        }
    }

    private static void launches(DerivedCache cache, Diagnostics found) {
        LaunchedWork work = cache.get(new LaunchedWork.Key());
        LaunchLinks links =
                cache.get(new LaunchLinks.Key(AnalysisRules.standard().links()));
        note(found, "no_launch", "device activities have no known launch", work.unlinked());
        note(
                found,
                "no_device_activity",
                "launch calls have no device activity: it was dropped, or the recording ended before",
                work.barren());
        note(
                found,
                "before_launch",
                "device activities start before their launch: host and device clocks disagree",
                work.early());
        note(
                found,
                "ambiguous_correlation",
                "launch calls share their correlation number with another; the last one counts",
                links.ambiguous());
    }

    private static void arrows(Trace trace, Diagnostics found) {
        Flows flows = trace.flows();
        int drawn = trace.strings().find(TableNames.CRITICAL_PATH); // leads to other ranks, too
        int[] rows = new int[flows.size()];
        Arrays.setAll(rows, i -> i);
        sort(rows, flows::category);
        sort(rows, flows::id);
        long lonely = 0;
        int next;
        for (int first = 0; first < rows.length; first = next) {
            long starts = 0;
            long ends = 0;
            for (next = first; next < rows.length && isOneArrow(flows, rows[first], rows[next]); next++) {
                starts += flows.phase(rows[next]) == 's' ? 1 : 0;
                ends += flows.phase(rows[next]) == 'f' ? 1 : 0;
            }
            boolean alone = (starts == 0 || ends == 0) && flows.category(rows[first]) != drawn;
            lonely += alone ? starts + ends : 0;
        }
        note(found, "lonely_flow", "flow arrows lack their other end", lonely);
    }

    private static boolean isOneArrow(Flows flows, int a, int b) {
        return flows.id(a) == flows.id(b) && flows.category(a) == flows.category(b);
    }

    /** Rows of equal keys keep their order. */
    private static void sort(int[] rows, IntToLongFunction key) {
        LongOrder.sort(Arrays.stream(rows).mapToLong(key).toArray(), rows);
    }

    private static void steps(DerivedCache cache, @Nullable String annotation, Diagnostics found) {
        Steps steps = cache.get(new Steps.Key(annotation));
        RepeatingSection section = cache.get(new RepeatingSection.Key());
        switch (steps.source()) {
            case ANNOTATION, SERVING -> {
                // steps are marked, as they should be
            }
            case INFERRED ->
                note(found, "steps_inferred", "no step markers: steps were inferred; " + steps.evidence(), 1);
            case NONE ->
                note(
                        found,
                        "no_steps",
                        section.count() > 0
                                ? "no step markers, and nothing shows where a step begins"
                                : "no step markers, and no pattern of kernels repeats",
                        1);
        }
        if (!steps.source().isMarked() && section.count() > 0) {
            note(
                    found,
                    "repeating_section",
                    "a " + words(section) + "; nothing shows that it is a step",
                    section.count());
        }
    }

    /** What repeats, for a sentence. */
    public static String words(RepeatingSection section) {
        return "section of " + Words.count(section.kernels()) + " kernels repeats " + Words.count(section.count())
                + " times, about every " + Words.time(section.duration()) + " (recognized by '"
                + Words.name(String.valueOf(section.kernel())) + "')";
    }

    private static void note(Diagnostics found, String code, String message, long count) {
        if (count > 0) {
            found.add(Weight.OBSERVATION, code, message, -1, count);
        }
    }
}
