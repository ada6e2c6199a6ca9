// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.model.Track;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which rank a process belongs to. FLEX calls a process by its rank, on the device and on the host; the pipeline of
 * {@code lockstep aiu} numbers the host's processes from 1000.
 */
final class RanksOfProcesses {
    static final int NO_RANK = -1;
    private static final int LARGEST = 1_000_000;
    private static final int HOST = 1000;

    /** By track: place of its rank among {@link #ranks}. */
    final int[] partOfTrack;

    /** Ascending; at least one, which may be {@link #NO_RANK}. */
    final List<Integer> ranks;

    private RanksOfProcesses(int[] partOfTrack, List<Integer> ranks) {
        this.partOfTrack = partOfTrack;
        this.ranks = ranks;
    }

    /**
     * @param onDevice by track: whether something on it ran on a device
     * @param used by track: whether a slice lies on it
     */
    static RanksOfProcesses of(List<Track> tracks, boolean[] onDevice, boolean[] used) {
        SortedSet<Integer> found = numbers(tracks, onDevice);
        if (found.isEmpty()) {
            found = numbers(tracks, used);
            if (found.size() != 1) {
                found = new TreeSet<>(List.of(NO_RANK));
            }
        }
        List<Integer> ranks = List.copyOf(found);
        int[] parts = new int[tracks.size()];
        for (int track = 0; track < parts.length; track++) {
            int number = number(tracks.get(track).process());
            int part = ranks.indexOf(number);
            parts[track] = Math.max(0, part >= 0 ? part : ranks.indexOf(number - HOST));
        }
        return new RanksOfProcesses(parts, ranks);
    }

    private static SortedSet<Integer> numbers(List<Track> tracks, boolean[] wanted) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (int track = 0; track < wanted.length; track++) {
            int number = wanted[track] ? number(tracks.get(track).process()) : NO_RANK;
            if (number >= 0) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static int number(String process) {
        int number = process.matches("\\d{1,7}") ? Integer.parseInt(process) : NO_RANK;
        return number < LARGEST ? number : NO_RANK;
    }
}
