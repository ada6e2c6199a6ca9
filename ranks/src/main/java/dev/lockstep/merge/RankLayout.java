// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.timeline.RankTimeline.Process;
import dev.lockstep.timeline.RankTimeline.Row;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers the processes and rows of a rank: devices before hosts, streams and threads as the recording orders them, the
 * rows of overlaps behind the row they belong to. Threads keep their numbers where these are positive, below 10^9 and
 * unique in their process.
 */
final class RankLayout {
    /** Processes of rank N have numbers from N * 10^4 + 1, unless one of the ranks before has more. */
    private static final int PROCESS_STRIDE = 10_000;

    /** Process numbers are signed and have 32 bits; ranks whose own ones would be larger take the next that is free. */
    private static final int LARGEST_OWN_PROCESS = 2_000_000_000;

    private static final int FIRST_FREE_ROW = 1_000_000_000;
    private static final Pattern SORT_INDEX = Pattern.compile("\"sort_index\":\\s*\"?(-?\\d{1,9})");

    final List<Process> processes = new ArrayList<>();
    final List<Row> rows = new ArrayList<>();
    final int[] rowOfTrack;

    /** By track: what a track without events has. */
    private static final int UNUSED = -1;

    private RankLayout(int tracks) {
        rowOfTrack = new int[tracks];
        Arrays.fill(rowOfTrack, UNUSED);
    }

    /**
     * @param levels by track: number of rows it needs, 0 when nothing lies on it
     * @param device by track: whether what lies on it ran on a device
     * @param firstProcess the number of the first process
     * @param recordedNames whether processes are called as recorded, without the rank
     */
    static RankLayout of(
            Trace trace, int rank, int[] levels, boolean[] device, int firstProcess, boolean recordedNames) {
        RankLayout layout = new RankLayout(levels.length);
        Map<String, List<Integer>> tracksOf = new LinkedHashMap<>();
        Set<String> devices = new HashSet<>();
        List<Track> tracks = trace.tracks();
        for (int track = 0; track < levels.length; track++) {
            if (levels[track] > 0) {
                String process = tracks.get(track).process();
                tracksOf.computeIfAbsent(process, p -> new ArrayList<>()).add(track);
                if (device[track]) {
                    devices.add(process);
                }
            }
        }
        List<String> order = new ArrayList<>(tracksOf.keySet());
        order.sort(Comparator.comparing((String p) -> !devices.contains(p)).thenComparing(RankLayout::compareNumbers));
        Map<String, Integer> sortIndexes = sortIndexes(trace);
        int id = firstProcess;
        for (String process : order) {
            List<Integer> members = tracksOf.getOrDefault(process, List.of());
            Track any = tracks.get(members.getFirst());
            layout.processes.add(new Process(
                    id++,
                    recordedNames ? recordedName(any) : name(rank, any),
                    any.processLabels(),
                    devices.contains(process)));
            layout.addRows(tracks, members, levels, device, sortIndexes);
        }
        return layout;
    }

    static int firstProcess(int rank, int nextFree) {
        long own = (long) rank * PROCESS_STRIDE + 1;
        return own > LARGEST_OWN_PROCESS ? nextFree : Math.max((int) own, nextFree);
    }

    private void addRows(
            List<Track> tracks, List<Integer> members, int[] levels, boolean[] device, Map<String, Integer> order) {
        List<Integer> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparingLong((Integer t) -> sortIndex(tracks.get(t), order))
                .thenComparing(t -> tracks.get(t).thread(), RankLayout::compareNumbers));
        Set<Integer> taken = new HashSet<>();
        Map<Integer, Integer> kept = new HashMap<>();
        for (int track : sorted) {
            int number = number(tracks.get(track).thread());
            if (number > 0 && taken.add(number)) {
                kept.put(track, number);
            }
        }
        Map<String, Integer> uses = new HashMap<>();
        for (int track : sorted) {
            uses.merge(name(tracks.get(track), device[track]), 1, Integer::sum);
        }
        int free = FIRST_FREE_ROW;
        for (int track : sorted) {
            rowOfTrack[track] = rows.size();
            String name = name(tracks.get(track), device[track]);
            String several =
                    uses.getOrDefault(name, 1) > 1 ? " " + tracks.get(track).thread() : "";
            for (int level = 0; level < levels[track]; level++) {
                Integer number = level == 0 ? kept.get(track) : null;
                rows.add(new Row(
                        processes.size() - 1,
                        number == null ? free++ : number,
                        level == 0 ? name : name + several + " (overlap " + level + ")",
                        level,
                        track));
            }
        }
    }

    private static String recordedName(Track track) {
        String name = track.processName() == null ? "" : track.processName().strip();
        return !name.isEmpty() ? name : track.process().isEmpty() ? "no process" : "process " + track.process();
    }

    private static String name(int rank, Track track) {
        String labels =
                track.processLabels() == null ? "" : track.processLabels().strip();
        String name = track.processName() == null ? "" : track.processName().strip();
        String number = track.process();
        if (name.matches("rank " + rank + "(?!\\d).*")) {
            return name;
        }
        String head = "rank " + rank + (labels.isEmpty() ? "" : " " + labels) + ": ";
        if (number.isEmpty()) {
            return head + (name.isEmpty() ? "no process" : name);
        }
        if (number(number) < 0 && !number.equals("0")) {
            return head + (name.isEmpty() || name.equals(number) ? number : name + " (" + number + ")");
        }
        return head + (name.isEmpty() ? "process " + number : name + " (pid " + number + ")");
    }

    private static String name(Track track, boolean device) {
        String name = track.threadName() == null ? "" : track.threadName().strip();
        String number = track.thread();
        if (!name.isEmpty()) {
            return name;
        }
        if (number.isEmpty()) {
            return "no thread";
        }
        boolean text = number(number) < 0 && !number.equals("0");
        return text ? number : (device ? "stream " : "thread ") + number;
    }

    /** The number, or -1 when the text is none that a row may have. */
    private static int number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + c - '0';
        }
        return value == 0 ? -1 : value;
    }

    private static int compareNumbers(String a, String b) {
        boolean numberA = a.matches("-?\\d{1,18}");
        boolean numberB = b.matches("-?\\d{1,18}");
        if (numberA && numberB) {
            return Long.compare(Long.parseLong(a), Long.parseLong(b));
        }
        return numberA != numberB ? (numberA ? -1 : 1) : a.compareTo(b);
    }

    private static long sortIndex(Track track, Map<String, Integer> order) {
        return order.getOrDefault(track.process() + '\0' + track.thread(), 0);
    }

    /** The recorded order of threads: process and thread to index. */
    private static Map<String, Integer> sortIndexes(Trace trace) {
        Map<String, Integer> indexes = new HashMap<>();
        Recorded recorded = trace.recorded();
        int wanted = trace.strings().find("thread_sort_index");
        if (recorded == null || wanted < 0) {
            return indexes;
        }
        RecordedTexts.Cursor text = recorded.metadata().cursor();
        for (int i = 0; i < recorded.metadataCount(); i++) {
            if (recorded.metadataName(i) == wanted && recorded.metadataProcess(i) >= 0 && text.move(i)) {
                Matcher found = SORT_INDEX.matcher(new String(
                        text.bytes, text.arguments, text.argumentsEnd - text.arguments, StandardCharsets.UTF_8));
                String thread = trace.strings().orNull(recorded.metadataThread(i));
                if (found.find()) {
                    indexes.put(
                            trace.strings().get(recorded.metadataProcess(i)) + '\0' + (thread == null ? "" : thread),
                            Integer.parseInt(found.group(1)));
                }
            }
        }
        return indexes;
    }
}
