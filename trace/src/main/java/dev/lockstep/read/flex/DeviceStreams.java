// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.Track;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The threads on which FLEX puts what the device did, as streams. FLEX numbers them with hashes; here they are numbered and
 * named after what lies on them: 0 computes, further threads of the same use have numbers that are greater by 10 each.
 */
final class DeviceStreams {
    private static final int STEPS = EventName.Step.values().length;

    private final TraceBuilder builder;
    private final List<Track> tracks;
    private final int[] uses;
    private final int[] numbers;

    DeviceStreams(TraceBuilder builder, DeviceRows rows, List<Track> tracks, int[] partOfTrack) {
        this.builder = builder;
        this.tracks = tracks;
        uses = new int[tracks.size()];
        numbers = new int[tracks.size()];
        for (int row = 0; row < rows.size(); row++) {
            uses[rows.track(row)] |= 1 << order(rows.step(row)) + (rows.remote(row) ? STEPS : 0);
        }
        List<Integer> used = new ArrayList<>();
        for (int track = 0; track < uses.length; track++) {
            if (uses[track] != 0) {
                used.add(track);
            }
        }
        used.sort(Comparator.comparingInt((Integer t) -> Integer.numberOfTrailingZeros(uses[t]))
                .thenComparingInt(t -> tracks.get(t).thread().length())
                .thenComparing(t -> tracks.get(t).thread())
                .thenComparing(t -> tracks.get(t).process()));
        LongIntMap next = new LongIntMap(16);
        for (int track : used) {
            int use = Integer.numberOfTrailingZeros(uses[track]);
            long key = (long) partOfTrack[track] << 32 | use;
            int before = Math.max(0, next.get(key));
            next.put(key, before + 1);
            numbers[track] = use + before * 2 * STEPS;
        }
    }

    /** Computing before preparing before moving. */
    private static int order(EventName.Step step) {
        return switch (step) {
            case COMPUTE -> 0;
            case PREPARE -> 1;
            case DMA_IN -> 2;
            case DMA_OUT -> 3;
            case ANY -> 4;
        };
    }

    int number(int track) {
        return numbers[track];
    }

    /** Names what the file leaves without a name. */
    void name(FlexSink sink) {
        for (int track = 0; track < uses.length; track++) {
            Track place = tracks.get(track);
            if (uses[track] != 0 && place.processLabels() == null) {
                builder.processLabels(place.process(), "AIU");
            }
            if (uses[track] != 0 && !sink.isNamed(place.process(), place.thread())) {
                builder.threadName(place.process(), place.thread(), words(uses[track]));
            }
        }
    }

    private static String words(int uses) {
        List<String> words = new ArrayList<>();
        for (int remote = 0; remote < 2; remote++) {
            for (EventName.Step step : EventName.Step.values()) {
                if ((uses >> order(step) + remote * STEPS & 1) == 1) {
                    words.add((remote == 1 ? "remote " : "") + step.words);
                }
            }
        }
        return "AIU " + String.join(", ", words);
    }
}
