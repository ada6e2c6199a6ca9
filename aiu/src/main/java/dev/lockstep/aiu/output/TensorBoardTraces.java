// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes traces for TensorBoard: all events in one, and those of each rank in another when there are several. */
public final class TensorBoardTraces implements TraceSink {
    private static final String ENDING = ".pt.trace.json";
    private static final long HOST = 1000;

    private final AiuOptions options;
    private final AiuLog log;
    private final Worker workers;
    private final @Nullable TraceJson whole;
    private final Map<Long, List<AiuEvent>> ranks = new TreeMap<>();

    /** Begins the trace of a rank. */
    public interface Worker {
        /**
         * A trace in this file.
         *
         * @param device whether the rank's device was seen at work, so that the trace names one
         */
        TraceJson trace(Path file, long rank, boolean device) throws IOException;
    }

    /** @param whole takes all events; null where nobody wants that */
    public TensorBoardTraces(AiuOptions options, @Nullable TraceJson whole, Worker workers, AiuLog log) {
        this.options = options;
        this.whole = whole;
        this.workers = workers;
        this.log = log;
    }

    /** Where all events go. */
    public static Path whole(String target) {
        boolean plain = target.endsWith(".json") && !target.endsWith(ENDING);
        return Path.of(plain ? target.replace(".json", ENDING) : target);
    }

    @Override
    public void add(AiuEvent event) {
        if (whole != null) {
            whole.add(event);
        }
        if (event.worker != AiuEvent.NO_RANK) {
            ranks.computeIfAbsent((long) event.worker, key -> new ArrayList<>()).add(event);
        } else if (event.other == null || !event.other.has("pid")) {
            long rank = event.pid >= HOST ? event.pid - HOST : event.pid;
            ranks.computeIfAbsent(rank, key -> new ArrayList<>()).add(event);
        }
    }

    @Override
    public void close() throws IOException {
        if (whole != null) {
            whole.close();
        }
        List<Long> several = options.rules().result().workers().apply(List.copyOf(ranks.keySet()));
        if (several.size() == 1) {
            log.warn("TB_EXPORTER: Only 1 AIU is used, no distributed view");
            return;
        }
        for (long rank : several) {
            worker(rank);
        }
    }

    private void worker(long rank) throws IOException {
        Path file = Path.of(base() + "_worker_" + rank + ENDING);
        List<AiuEvent> events = ranks.getOrDefault(rank, List.of());
        boolean device = events.stream().anyMatch(event -> event.namesDevice);
        try (TraceJson trace = workers.trace(file, rank, device)) {
            events.forEach(trace::add);
        }
    }

    private String base() {
        String target = options.target();
        if (target.endsWith(ENDING)) {
            return target.substring(0, target.length() - ENDING.length());
        }
        int dot = target.lastIndexOf('.');
        return dot <= target.lastIndexOf('/') + 1 ? target : target.substring(0, dot);
    }
}
