// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.CsvLines;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.SheetFileNames;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The kernels of a chart as lists: a file for each rank and device, kernels by start. */
final class GanttFiles {
    private static final long NS_PER_MS = 1_000_000;

    private record Place(GanttLane lane, int row) {
        private long start() {
            return lane.start()[row];
        }
    }

    private GanttFiles() {}

    static void write(GanttChart chart, Path folder) throws IOException {
        Set<String> taken = new HashSet<>();
        for (GanttChart.Rank rank : chart.ranks()) {
            Map<String, List<GanttLane>> byDevice = new TreeMap<>();
            for (GanttLane lane : rank.lanes().lanes()) {
                byDevice.computeIfAbsent(lane.device(), d -> new ArrayList<>()).add(lane);
            }
            for (Map.Entry<String, List<GanttLane>> device : byDevice.entrySet()) {
                String name = "kernels_rank" + rank.number() + "_gpu"
                        + device.getKey().replaceAll("[^\\w.-]", "_");
                write(rank, device.getValue(), folder.resolve(SheetFileNames.of(name, ".csv", taken)));
            }
        }
    }

    private static void write(GanttChart.Rank rank, List<GanttLane> lanes, Path file) throws IOException {
        List<Place> places = new ArrayList<>();
        for (GanttLane lane : lanes) {
            for (int i = 0; i < lane.size(); i++) {
                places.add(new Place(lane, i));
            }
        }
        places.sort(Comparator.comparingLong(Place::start));
        try (Writer out = NamedFiles.writer(file)) {
            out.write("name,start_ms,dur_ms,device,stream,category\n");
            Map<Integer, String> names = new HashMap<>();
            for (Place place : places) {
                int name = place.lane.name()[place.row];
                out.write(line(rank, place, names.computeIfAbsent(name, rank.lanes()::name)));
            }
        }
    }

    private static String line(GanttChart.Rank rank, Place place, String name) {
        GanttLane lane = place.lane;
        int row = place.row;
        CsvLines line = new CsvLines("\n");
        line.line(List.of(
                name,
                Numbers.plain(lane.start()[row] - rank.origin(), NS_PER_MS),
                Numbers.plain(lane.end()[row] - lane.start()[row], NS_PER_MS),
                lane.device(),
                lane.stream(),
                KernelClass.values()[lane.kind()[row]].name().toLowerCase(Locale.ROOT)));
        return line.text();
    }
}
