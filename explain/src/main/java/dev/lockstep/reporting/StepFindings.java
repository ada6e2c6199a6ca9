// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.StepParts;
import dev.lockstep.analyze.time.StepParts.Part;
import dev.lockstep.analyze.time.StepParts.Row;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.path.Opportunity;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is said about steps: on what they spend most beside computing, what to try, and what that can gain. */
final class StepFindings {
    private static final double NOTABLE = 0.05;

    /** Where the graph of dependencies gives less than this share of a part back, advice about the part would mislead. */
    private static final double LITTLE = 0.1;

    private static final String UNSEEN = "What the host did then is not in the trace; with_stack=True, or the operating"
            + " system's calls under Nsight Systems, would tell.";

    private StepFindings() {}

    /** @param opportunities what mending classes of time would gain, where that is known */
    static List<Finding> of(Slices slices, StepParts.Result steps, List<Opportunity> opportunities) {
        if (steps.rows().isEmpty()) {
            return List.of();
        }
        Row all = steps.rows().getFirst();
        Part most = Part.MEMCPY;
        for (Part part : Part.values()) {
            most = part != Part.KERNEL && all.of(part) > all.of(most) ? part : most;
        }
        double share = all.total() == 0 ? 0 : (double) all.of(most) / all.total();
        boolean python = holds(slices, SliceKind.PYTHON);
        boolean host = python || holds(slices, SliceKind.CPU_OP) || holds(slices, SliceKind.RUNTIME_CALL);
        if (share < NOTABLE || most == Part.OTHER && !host) {
            return List.of();
        }
        Opportunity known = known(most, opportunities);
        boolean little = known != null && known.gain() < all.of(most) * LITTLE;
        return List.of(new Finding(
                        Severity.NOTICE,
                        "step_advice",
                        String.format(
                                Locale.ROOT,
                                "Beside kernels that compute, the largest part of %s goes to %s: %s, %.1f %%%s.%s%s",
                                steps.rows().size() > 1
                                        ? "the time of steps"
                                        : "the recording, from its first event on,",
                                most == Part.OTHER && !python ? "moments with nothing recorded" : what(most),
                                Words.time(all.of(most)),
                                100 * share,
                                known == null ? ", the most that could be won there" : "",
                                little ? "" : " " + (most == Part.OTHER && !python ? UNSEEN : advice(most)),
                                known == null ? "" : gain(known, little)),
                        "step_parts: " + most.word() + " ms")
                .on(
                        Evidence.Rows.first("step_parts", 1),
                        steps.places("step_parts").getFirst()));
    }

    private static String what(Part part) {
        return switch (part) {
            case KERNEL -> "kernels";
            case MEMCPY -> "copies";
            case MEMSET -> "fills of memory";
            case COMMUNICATION -> "collectives that nothing hides";
            case RUNTIME -> "calls of the vendor's library while the device does nothing";
            case DATA_LOADER -> "waits for data";
            case HOST -> "operators on the host while the device does nothing";
            case OTHER -> "moments with nothing recorded but Python";
        };
    }

    private static String advice(Part part) {
        return switch (part) {
            case KERNEL -> "";
            case MEMCPY -> "Pinned memory and non_blocking copies let computation go on.";
            case MEMSET -> "Buffers that are written anyway need no fill.";
            case COMMUNICATION -> "Smaller or later buckets, and work that does not wait for them, hide collectives.";
            case RUNTIME ->
                "Launches become fewer with CUDA graphs or torch.compile; calls that wait can be left out or come"
                        + " later; loading and allocation happen once, and belong before what is measured.";
            case DATA_LOADER -> "More workers of the DataLoader, prefetching and pinned memory load ahead.";
            case HOST -> "Larger batches, torch.compile and CUDA graphs leave the host less to do.";
            case OTHER ->
                "Less Python between operators, or CUDA graphs, leave less of them; idle_causes says what Python does"
                        + " there where with_stack=True recorded it.";
        };
    }

    private static @Nullable Opportunity known(Part part, List<Opportunity> opportunities) {
        String subject = switch (part) {
            case MEMCPY, MEMSET -> "copy";
            case COMMUNICATION -> "communication";
            case RUNTIME, DATA_LOADER, HOST, OTHER -> "host";
            case KERNEL -> "";
        };
        return opportunities.stream()
                .filter(one -> one.subject().equals(subject) && one.whole() > 0)
                .findFirst()
                .orElse(null);
    }

    private static String gain(Opportunity known, boolean little) {
        String subject = known.subject();
        return String.format(
                Locale.ROOT,
                " By the graph of dependencies, a recording in which %s took no time would be %s%s shorter (%.1f %% of"
                        + " %s).",
                subject.equals("copy") ? "copies" : subject.equals("host") ? "the host" : subject,
                little ? "only " : "",
                Words.time(known.gain()),
                100.0 * known.gain() / known.whole(),
                Words.time(known.whole()));
    }

    private static boolean holds(Slices slices, SliceKind kind) {
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == kind) {
                return true;
            }
        }
        return false;
    }
}
