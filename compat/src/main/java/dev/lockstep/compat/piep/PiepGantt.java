// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.model.Trace;
import dev.lockstep.write.SheetFileNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files beside piep's chart: for each device of a rank the kernels with start and duration and their launch parameters,
 * and counts of the rank.
 *
 * @param most so many kernels are charted, 0 for all
 * @param threshold share of a stream's time in communication from which on it is called communication
 */
record PiepGantt(int most, double threshold) {
    /** What is charted of a device: bars of the classes compute, communication and unknown, in ms since the first kernel. */
    public record Device(String name, List<double[]> bars) {}

    /**
     * Writes the files of a rank into a folder that exists.
     *
     * @param trace read with everything that its file says
     * @return what piep's chart of each device shows
     */
    public List<Device> write(Trace trace, int rank, Path folder) throws IOException {
        PiepEvents events = new PiepEvents(trace, threshold);
        Map<String, List<Integer>> byDevice = new TreeMap<>();
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            all.add(i);
            if (!events.device(i).isEmpty()) {
                byDevice.computeIfAbsent(events.device(i), d -> new ArrayList<>())
                        .add(i);
            }
        }
        if (byDevice.isEmpty() && !all.isEmpty()) {
            byDevice.put("", all);
        }
        Map<String, Map<String, long[]>> counts = new LinkedHashMap<>();
        List<Device> devices = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Map.Entry<String, List<Integer>> entry : byDevice.entrySet()) {
            String device = entry.getKey();
            List<Integer> kernels = entry.getValue();
            String suffix = SheetFileNames.of("_gpu" + (device.isEmpty() ? "unknown" : device), "", taken);
            counts.putAll(PiepFiles.counts(events, kernels));
            List<Integer> charted = most > 0 ? kernels.subList(0, Math.min(most, kernels.size())) : kernels;
            PiepFiles.chartList(events, charted, folder.resolve("kernels_rank" + rank + suffix + ".csv"));
            boolean[] wanted = new boolean[events.size()];
            kernels.forEach(i -> wanted[i] = true);
            String stem = "kernel_launch_params_rank" + rank + suffix;
            PiepFiles.parameters(
                    events,
                    i -> wanted[i],
                    folder.resolve(stem + ".csv"),
                    folder.resolve(stem + ".jsonl"),
                    new PiepFiles.Charted(events.ts(kernels.getFirst()), most));
            devices.add(new Device(suffix, bars(events, charted)));
        }
        PiepFiles.writeCounts(counts, folder.resolve("kernels_rank" + rank + "_kernel_counts.csv"));
        return devices;
    }

    private static List<double[]> bars(PiepEvents events, List<Integer> kernels) {
        double origin = events.ts(kernels.getFirst());
        List<double[]> bars = new ArrayList<>(kernels.size());
        for (int i : kernels) {
            double start = (events.ts(i) - origin) / 1000;
            double row = List.of("compute", "communication", "unknown").indexOf(events.category(i));
            bars.add(new double[] {row, start, start + events.dur(i) / 1000});
        }
        return bars;
    }
}
