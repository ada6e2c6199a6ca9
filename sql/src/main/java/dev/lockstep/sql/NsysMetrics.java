// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.Diagnostics.Weight;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a device's own counters said while it was recorded ({@code --gpu-metrics-devices}), as counters of each rank on the
 * device; of the first of them, where there are very many.
 */
final class NsysMetrics {
    static final String SAMPLES = "GPU_METRICS";
    private static final String NAMES = "TARGET_INFO_GPU_METRICS";
    private static final String GPUS = "TARGET_INFO_GPU";
    private static final String CATEGORY = "gpu_metrics";

    /** The part of the id of a kind of metrics that is the number of the GPU. */
    private static final long GPU = 0xFF;

    /** Ranks of one device that get copies of its samples: more than can share one, and few enough for any file. */
    private static final int MOST_RANKS = 64;

    private record Metric(long type, long id) {}

    private final SqliteFile file;
    private final NsysRanks ranks;
    private final Map<Metric, String> names = new HashMap<>();
    private final Map<Long, Long> deviceOf = new HashMap<>();
    private final Map<Long, List<NsysRank>> takers = new HashMap<>();

    NsysMetrics(SqliteFile file, NsysRanks ranks) {
        this.file = file;
        this.ranks = ranks;
    }

    /** Adds all samples; all that runs on devices must be known. */
    void read() throws IOException {
        if (!file.has(SAMPLES) || !file.has(NAMES)) {
            return;
        }
        names();
        devices();
        try (SqliteRows rows = file.rows(SAMPLES, "timestamp", "typeId", "metricId", "value")) {
            while (rows.next()) {
                long type = rows.number(1, 0);
                long device = deviceOf.getOrDefault(type & GPU, type & GPU);
                String name = names.get(new Metric(type, rows.number(2, -1)));
                for (NsysRank rank : takers.computeIfAbsent(device, this::takers)) {
                    sample(rank, rows.number(0, -1), name, rows.text(3));
                }
            }
        }
    }

    /** The ranks that get what is said about a device; that there are more is said by the first. */
    private List<NsysRank> takers(long device) {
        List<NsysRank> all = ranks.onDevice(device);
        if (all.size() > MOST_RANKS) {
            all.getFirst()
                    .builder()
                    .diagnostics()
                    .add(
                            Weight.OBSERVATION,
                            "metric_ranks",
                            "device " + device + " has " + all.size() + " ranks; the first " + MOST_RANKS
                                    + " of them have its metrics",
                            -1);
        }
        return all.subList(0, Math.min(MOST_RANKS, all.size()));
    }

    private void names() throws IOException {
        try (SqliteRows rows = file.rows(NAMES, "typeId", "metricId", "metricName")) {
            while (rows.next()) {
                String name = rows.text(2);
                if (name != null) {
                    names.put(new Metric(rows.number(0, 0), rows.number(1, -1)), name);
                }
            }
        }
    }

    /** Metrics name GPUs as the machine numbers them, kernels as the process sees them. */
    private void devices() throws IOException {
        if (!file.has(GPUS) || !file.columns(GPUS).containsAll(List.of("id", "cuDevice"))) {
            return;
        }
        try (SqliteRows rows = file.rows(GPUS, "id", "cuDevice")) {
            while (rows.next()) {
                if (rows.number(1, -1) >= 0) {
                    deviceOf.put(rows.number(0, -1), rows.number(1, -1));
                }
            }
        }
    }

    private static void sample(NsysRank rank, long at, @Nullable String name, @Nullable String value) {
        if (at < 0 || at >= JsonCursor.LATEST_NS || name == null || value == null || !JsonCursor.isNumber(value)) {
            rank.builder()
                    .diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "metric_unusable",
                            "samples of GPU metrics have no time, no name or no number; they were left out",
                            -1);
            return;
        }
        rank.rows().counter(rank.rows().counters(rank.deviceNumber(), "Metrics"), at, name, CATEGORY, value);
    }
}
