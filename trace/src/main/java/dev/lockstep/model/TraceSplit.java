// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes a file that holds several ranks apart: each track belongs to one of them. The parts share their texts, and have all
 * tracks, of which those of other ranks are empty. What was odd about the file, and events that belong to no rank, are the
 * first rank's.
 */
final class TraceSplit {
    private final TraceBuilder whole;
    private final int[] partOfTrack;
    private final int[] partOfSlice;
    private final List<TraceBuilder> parts = new ArrayList<>();

    TraceSplit(TraceBuilder whole, int[] partOfTrack, int[] partOfSlice, int count) {
        this.whole = whole;
        this.partOfTrack = partOfTrack;
        this.partOfSlice = partOfSlice;
        for (int i = 0; i < count; i++) {
            parts.add(whole.part());
        }
    }

    List<Trace> build(List<TraceInfo> infos) {
        slices();
        flows();
        marks();
        parts.forEach(this::countCategories);
        EventCounts counted = new EventCounts();
        parts.forEach(part -> counted.addAll(part.counts()));
        parts.getFirst().counts().addAll(whole.counts().beyond(counted));
        parts.getFirst().diagnostics().addAll(whole.diagnostics());
        List<Trace> traces = new ArrayList<>();
        for (int i = 0; i < infos.size(); i++) {
            TraceBuilder part = parts.get(i);
            if (part.recorder() != null && whole.recorder() != null) {
                part.recorder().copyMetadata(whole.recorder(), processesOf(i));
            }
            traces.add(part.build(infos.get(i)));
        }
        return traces;
    }

    /** Pool ids of the processes of a part. */
    private Set<Integer> processesOf(int part) {
        Set<Integer> processes = new HashSet<>();
        List<Track> tracks = whole.trackList();
        for (int track = 0; track < partOfTrack.length; track++) {
            if (partOfTrack[track] == part) {
                processes.add(whole.strings().find(tracks.get(track).process()));
            }
        }
        return processes;
    }

    private TraceBuilder ofTrack(int track) {
        return parts.get(partOfTrack[track]);
    }

    /** The part of a slice, or {@link TraceBuilder#EVERY_PART}. */
    private int partOf(int slice) {
        int of = slice < partOfSlice.length ? partOfSlice[slice] : TraceBuilder.BY_TRACK;
        return of == TraceBuilder.BY_TRACK ? partOfTrack[whole.track.get(slice)] : of;
    }

    private void slices() {
        int[] moved = new int[whole.sliceCount()]; // of slices of every part: a place in the list
        List<int[]> everywhere = new ArrayList<>();
        for (int i = 0; i < moved.length; i++) {
            int part = partOf(i);
            if (part != TraceBuilder.EVERY_PART) {
                moved[i] = slice(i, parts.get(part));
                continue;
            }
            moved[i] = everywhere.size();
            int[] numbers = new int[parts.size()];
            for (int each = 0; each < numbers.length; each++) {
                numbers[each] = slice(i, parts.get(each));
            }
            everywhere.add(numbers);
        }
        for (Map.Entry<TableKey<?>, DetailRows> table : whole.details.entrySet()) {
            DetailRows rows = table.getValue();
            for (int row = 0; row < rows.size(); row++) {
                int part = partOf(rows.slice(row));
                int number = moved[rows.slice(row)];
                if (part != TraceBuilder.EVERY_PART) {
                    parts.get(part).details(table.getKey()).copy(rows, row, number);
                    continue;
                }
                for (int each = 0; each < parts.size(); each++) {
                    parts.get(each)
                            .details(table.getKey())
                            .copy(rows, row, everywhere.get(number)[each]);
                }
            }
        }
    }

    private int slice(int i, TraceBuilder part) {
        SliceKind kind = SliceKind.of(whole.kind.get(i));
        int moved = part.slice(whole.ts.get(i), whole.dur.get(i), whole.name.get(i), whole.track.get(i), kind);
        part.source(moved, whole.category.get(i), whole.index.get(i));
        part.join(moved, whole.correlation.get(i), whole.externalId.get(i));
        if (whole.number(i) >= 0) {
            part.number(moved, whole.number(i));
        }
        if (whole.duration(i) >= 0) {
            part.counts().add(1, 1, kind.isDeviceActivity() ? 1 : 0);
        }
        if (part.recorder() != null && whole.recorder() != null) {
            part.recorder().copySlice(whole.recorder(), i, moved);
        }
        return moved;
    }

    private void countCategories(TraceBuilder part) {
        long[] counts = new long[whole.strings().size()];
        for (IntList categories : List.of(part.category, part.flowCategory, part.markCategory)) {
            for (int i = 0; i < categories.size(); i++) {
                if (categories.get(i) >= 0) {
                    counts[categories.get(i)]++;
                }
            }
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                String category = whole.strings().get(i);
                part.counts().addCategory(category, counts[i], whole.counts().bytesOf(category, counts[i]));
            }
        }
        int pairs = part.details.containsKey(EndEvents.KEY)
                ? part.details(EndEvents.KEY).size()
                : 0;
        part.counts().add(pairs, -pairs, 0);
        phase(part, "B", pairs);
        phase(part, "E", pairs);
        phase(part, "X", (int) part.counts().complete());
    }

    private static void phase(TraceBuilder part, String letter, int count) {
        if (count > 0) {
            part.counts().addPhase(letter, count);
        }
    }

    private void flows() {
        for (int i = 0; i < whole.flowId.size(); i++) {
            TraceBuilder part = ofTrack(whole.flowTrack.get(i));
            part.flow(
                    whole.flowId.get(i),
                    (char) whole.flowPhase.get(i),
                    whole.flowTs.get(i),
                    whole.flowTrack.get(i),
                    whole.flowCategory.get(i));
            part.counts().add(1, 0, 0);
            part.counts().addPhase(String.valueOf((char) whole.flowPhase.get(i)), 1);
            if (part.recorder() != null && whole.recorder() != null) {
                part.recorder().copyFlow(whole.recorder(), i);
            }
        }
    }

    private void marks() {
        int[] moved = new int[whole.markCount()];
        for (int i = 0; i < moved.length; i++) {
            TraceBuilder part = ofTrack(whole.markTrack.get(i));
            moved[i] = part.markCount();
            part.mark(
                    (char) whole.markPhase.get(i),
                    whole.markTs.get(i),
                    whole.markTrack.get(i),
                    whole.markName.get(i),
                    whole.markCategory.get(i));
            part.counts().add(1, 0, 0);
            part.counts().addPhase(String.valueOf((char) whole.markPhase.get(i)), 1);
            if (part.recorder() != null && whole.recorder() != null) {
                part.recorder().copyMark(whole.recorder(), i);
            }
        }
        whole.markDetails.forEach((key, rows) -> {
            for (int row = 0; row < rows.size(); row++) {
                int mark = rows.slice(row);
                ofTrack(whole.markTrack.get(mark)).markDetails(key).copy(rows, row, moved[mark]);
            }
        });
    }
}
